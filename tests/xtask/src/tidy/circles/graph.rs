//! Finds the circles in the imports between files.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::tidy::crates::Imports;

/// Returns the circles, the largest first: files of which each imports each other one, by itself or through others.
pub(super) fn circles(imports: &Imports) -> Vec<BTreeSet<usize>> {
    let files: BTreeSet<usize> = imports.keys().map(|(from, _)| *from).collect();
    let reached: BTreeMap<usize, BTreeSet<usize>> = files.iter().map(|file| (*file, reached(imports, *file))).collect();
    let reaches = |from: usize, to: usize| reached.get(&from).is_some_and(|reached| reached.contains(&to));
    let circle_of = |file: usize| {
        let others = files.iter().copied();
        others.filter(|other| reaches(file, *other) && reaches(*other, file)).collect::<BTreeSet<usize>>()
    };
    let circles: BTreeSet<BTreeSet<usize>> = files.iter().map(|file| circle_of(*file)).collect();
    let mut circles: Vec<_> = circles.into_iter().filter(|circle| !circle.is_empty()).collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

/// Returns the imports of the shortest way from one of the circle back to it.
pub(super) fn shortest(imports: &Imports, circle: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let ways = circle.iter().filter_map(|file| way_back(imports, circle, *file));
    let way = ways.min_by_key(Vec::len).unwrap_or_default();
    let next = way.iter().cycle().skip(1);
    way.iter().zip(next).map(|(from, to)| (*from, *to)).collect()
}

fn imported(imports: &Imports, file: usize) -> impl Iterator<Item = usize> {
    imports.range((file, 0)..=(file, usize::MAX)).map(|((_, to), _)| *to)
}

fn reached(imports: &Imports, file: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        open.extend(imported(imports, file).filter(|next| reached.insert(*next)));
    }
    reached
}

fn way_back(imports: &Imports, circle: &BTreeSet<usize>, start: usize) -> Option<Vec<usize>> {
    let mut from = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for next in imported(imports, file).filter(|next| circle.contains(next)) {
            from.entry(next).or_insert_with(|| {
                open.push_back(next);
                file
            });
        }
    }
    let mut way = vec![start];
    let mut file = *from.get(&start)?;
    while file != start {
        way.push(file);
        file = *from.get(&file)?;
    }
    // It was followed from its end.
    way.get_mut(1..)?.reverse();
    Some(way)
}
