//! Finds the circles in the imports between folders: modules of one module, each with those in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Circle, graph};
use crate::tidy::crates::{Imports, Place, Tree};

/// The first import of a module from one beside it: the file, and the place in it.
type Edges<'a> = BTreeMap<(&'a str, &'a str), (PathBuf, Place)>;

/// Returns the circles, the outermost first.
pub(super) fn circles(tree: &Tree<'_>, imports: &Imports) -> Vec<Circle> {
    let mut levels: BTreeMap<&[String], Edges<'_>> = BTreeMap::new();
    for ((from, to), place) in imports {
        let (Some(from), Some(to)) = (tree.files.get(*from), tree.files.get(*to)) else { continue };
        let common = from.module.iter().zip(&to.module).take_while(|(from, to)| from == to).count();
        let Some(level) = from.module.get(..common) else { continue };
        // A file of the folder itself is around both.
        if let (Some(importing), Some(imported)) = (from.module.get(common), to.module.get(common)) {
            let edges = levels.entry(level).or_default();
            edges.entry((importing, imported)).or_insert_with(|| (from.path.clone(), place.clone()));
        }
    }
    levels.iter().flat_map(|(level, edges)| circles_in(level, edges)).collect()
}

fn circles_in(level: &[String], edges: &Edges<'_>) -> Vec<Circle> {
    let names: BTreeSet<&str> = edges.keys().flat_map(|(from, to)| [*from, *to]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let number = |name: &str| names.binary_search(&name).ok();
    let number_both =
        |((from, to), (_, place)): (&(&str, &str), &(_, Place))| Some(((number(from)?, number(to)?), place.clone()));
    let graph: Imports = edges.iter().filter_map(number_both).collect();
    let module =
        |at: &usize| Some(level.iter().map(String::as_str).chain([*names.get(*at)?]).collect::<Vec<_>>().join("/"));
    let step = |(from, to): (usize, usize)| edges.get(&(*names.get(from)?, *names.get(to)?)).cloned();
    let circle = |circle: BTreeSet<usize>| {
        let steps = graph::shortest(&graph, &circle).into_iter().map(step).collect::<Option<_>>()?;
        Some(Circle { of: "folders", modules: circle.iter().filter_map(module).collect(), steps })
    };
    graph::circles(&graph).into_iter().filter_map(circle).collect()
}
