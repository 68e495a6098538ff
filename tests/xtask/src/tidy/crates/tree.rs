//! Finds the files of a crate, and the file that defines what a path names.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path as FilePath, PathBuf};

use super::source::{Path, Source};
use super::tokens::tokens;

/// How many `use` a name may go through: more are a `use` of itself.
const MAX_USES: usize = 16;

/// The texts of files, by their paths.
pub(super) type Texts<'a> = HashMap<&'a FilePath, &'a str>;

/// The files of a crate, and which of them import which others.
#[derive(Debug, Default)]
pub(in crate::tidy) struct Tree<'a> {
    pub(in crate::tidy) files: Vec<File>,
    modules: Vec<Module<'a>>,
}

/// A file of a crate.
#[derive(Debug)]
pub(in crate::tidy) struct File {
    pub(in crate::tidy) path: PathBuf,
    /// The names of its module and of those around it, from outside, without the crate.
    pub(in crate::tidy) module: Vec<String>,
}

/// Where a file names something of another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tidy) struct Place {
    /// The line, from 1.
    pub(in crate::tidy) line: usize,
    /// What it names.
    pub(in crate::tidy) named: String,
}

/// The first place of each import, by the indices of the importing and of the imported file.
pub(in crate::tidy) type Imports = BTreeMap<(usize, usize), Place>;

#[derive(Debug)]
struct Module<'a> {
    file: usize,
    parent: Option<usize>,
    children: HashMap<&'a str, usize>,
    source: Source<'a>,
}

/// What a path names.
enum Named {
    Module(usize),
    /// An item of the file.
    Item(usize),
}

impl<'a> Tree<'a> {
    /// Reads the crate with this root file, and with modules whose files are elsewhere.
    pub(super) fn read(texts: &Texts<'a>, root: &FilePath, elsewhere: &[(&'a str, PathBuf)]) -> Self {
        let mut tree = Self::default();
        if let Some(root) = tree.read_file(texts, root, Vec::new(), None) {
            for (name, file) in elsewhere {
                if let Some(module) = tree.read_file(texts, file, vec![(*name).to_owned()], Some(root)) {
                    tree.adopt(root, name, module);
                }
            }
        }
        tree
    }

    fn read_file(
        &mut self,
        texts: &Texts<'a>,
        path: &FilePath,
        module: Vec<String>,
        parent: Option<usize>,
    ) -> Option<usize> {
        let source = Source::read(&tokens(texts.get(path)?));
        // Modules of `a.rs` are in the folder `a`. Those of a root are beside it.
        let is_root = module.last().is_none_or(|name| path.file_stem().is_some_and(|stem| stem != name.as_str()));
        let folder = if is_root { path.with_file_name("") } else { path.with_extension("") };
        self.files.push(File { path: path.to_owned(), module: module.clone() });
        Some(self.read_module(texts, source, &folder, module, parent))
    }

    fn read_module(
        &mut self,
        texts: &Texts<'a>,
        mut source: Source<'a>,
        folder: &FilePath,
        module: Vec<String>,
        parent: Option<usize>,
    ) -> usize {
        let (id, file) = (self.modules.len(), self.files.len() - 1);
        let inner = std::mem::take(&mut source.modules);
        self.modules.push(Module { file, parent, children: HashMap::new(), source });
        let (inline, in_files): (Vec<_>, Vec<_>) = inner.into_iter().partition(|(_, source)| source.is_some());
        for (name, source) in inline {
            let names = [module.as_slice(), &[name.to_owned()]].concat();
            let child = self.read_module(texts, source.unwrap_or_default(), &folder.join(name), names, Some(id));
            self.adopt(id, name, child);
        }
        for (name, _) in in_files {
            let names = [module.as_slice(), &[name.to_owned()]].concat();
            if let Some(child) = self.read_file(texts, &folder.join(name).with_extension("rs"), names, Some(id)) {
                self.adopt(id, name, child);
            }
        }
        id
    }

    fn adopt(&mut self, parent: usize, name: &'a str, child: usize) {
        if let Some(parent) = self.modules.get_mut(parent) {
            parent.children.insert(name, child);
        }
    }

    /// Returns whether there is a module of these names, or an item of a module: what is within the item is not looked at.
    pub(in crate::tidy) fn has(&self, names: &[&str]) -> bool {
        let mut current = self.modules.first();
        for name in names {
            let Some(module) = current else { return false };
            match module.children.get(name) {
                Some(child) => current = self.modules.get(*child),
                None => return module.source.items.contains(name),
            }
        }
        current.is_some()
    }

    /// Returns which files import which others, without a `pub use` of what the file's own code does not name. A file may import
    /// from those whose module is around its own.
    pub(in crate::tidy) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (id, module) in self.modules.iter().enumerate() {
            let source = &module.source;
            let own =
                source.imports.iter().filter(|it| !it.is_public || it.name == "*" || source.words.contains(it.name));
            let used = own.map(|import| (&import.path, import.name == "*"));
            let named = source.paths.iter().map(|path| (path, false));
            for (path, is_glob) in used.chain(named) {
                let file = match self.resolve(id, path, 0) {
                    Some(Named::Item(file)) => file,
                    Some(Named::Module(other)) if is_glob => self.modules.get(other).map_or(module.file, |it| it.file),
                    _ => continue,
                };
                if file != module.file && !self.is_around(file, module.file) {
                    let place = Place { line: path.line, named: path.names.join("::") };
                    imports.entry((module.file, file)).or_insert(place);
                }
            }
        }
        imports
    }

    fn is_around(&self, outer: usize, inner: usize) -> bool {
        let module = |file: usize| self.files.get(file).map_or([].as_slice(), |file| file.module.as_slice());
        module(inner).starts_with(module(outer))
    }

    /// Returns what a path in a module names, or `None` if it is of another crate or of the function around it.
    fn resolve(&self, module: usize, path: &Path<'a>, uses: usize) -> Option<Named> {
        let mut current = module;
        let count = path.names.len();
        for (index, name) in path.names.iter().enumerate() {
            current = match *name {
                "crate" => 0,
                "self" => current,
                "super" => self.modules.get(current)?.parent?,
                name => match self.look_up(current, name, index + 1 == count, uses) {
                    Some(Named::Module(module)) => module,
                    // A name that a macro defines.
                    None if index > 0 => return Some(Named::Item(self.modules.get(current)?.file)),
                    found => return found,
                },
            };
        }
        Some(Named::Module(current))
    }

    /// Returns what a name in a module is. As the last name of a path it is an item, if there is a module of that name too.
    fn look_up(&self, id: usize, name: &str, is_last: bool, uses: usize) -> Option<Named> {
        let module = self.modules.get(id).filter(|_| uses < MAX_USES)?;
        let child = module.children.get(name).copied().map(Named::Module);
        let item = module.source.items.contains(name).then_some(Named::Item(module.file));
        let imported = || {
            let of_name = module.source.imports.iter().filter(|import| import.name == name);
            of_name.filter_map(|import| self.resolve(id, &import.path, uses + 1)).next()
        };
        let found = if is_last { item.or_else(imported).or(child) } else { child.or_else(imported).or(item) };
        found.or_else(|| {
            let mut globs = module.source.imports.iter().filter(|import| import.name == "*");
            globs.find_map(|import| match self.resolve(id, &import.path, uses + 1)? {
                Named::Module(other) => self.look_up(other, name, is_last, uses + 1),
                Named::Item(_) => None,
            })
        })
    }
}
