//! Circular imports among the modules of a crate. Two modules below the same parent must not use each other,
//! directly or through others, wherever the paths occur.
//!
//! A module and its own submodules may: a submodule extends the module it is in. Test code may use anything.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::circles::Imports;

type Path = Vec<String>;

/// The modules of one crate.
#[derive(Default)]
struct Modules {
    /// Each module with what it refers to, as absolute paths within the crate, and the file of the reference.
    references: Vec<(Path, Path, String)>,
    known: BTreeSet<Path>,
    /// Names that a module imports from elsewhere in the crate: `super::Name` can mean one of them.
    imported: BTreeMap<(Path, String), Path>,
}

/// Circles in a crate: `folder` contains `src/`, `files` are the crate's source files with their text.
///
/// # Errors
/// When a file is not valid Rust.
pub fn circles(folder: &str, files: &[(String, String)]) -> anyhow::Result<Vec<String>> {
    let mut modules = Modules::default();
    let has_library = files.iter().any(|(file, _)| *file == format!("{folder}/src/lib.rs"));
    for (file, text) in files {
        let Some(path) = module_path(folder, file, has_library) else { continue };
        let tokens: TokenStream =
            text.parse().map_err(|error| anyhow::anyhow!("{error}")).context(file.clone())?;
        modules.known.insert(path.clone());
        modules.read(&path, &tokens.into_iter().collect::<Vec<_>>(), file);
    }
    Ok(modules
        .circles()
        .into_iter()
        .map(|circle| format!("circular imports in {folder}: {circle}"))
        .collect())
}

/// `["a", "b"]` for src/a/b.rs, `[]` for the crate's root. `None` for tests and for the program of a library.
fn module_path(folder: &str, file: &str, has_library: bool) -> Option<Path> {
    let inside = file.strip_prefix(folder)?.strip_prefix("/src/")?.strip_suffix(".rs")?;
    let mut path: Path = inside.split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|last| last == "tests") || (has_library && inside == "main") {
        return None;
    }
    if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        path.pop();
    }
    Some(path)
}

impl Modules {
    fn read(&mut self, module: &Path, tokens: &[TokenTree], file: &str) {
        let mut at = 0;
        while at < tokens.len() {
            if is_test_attribute(&tokens[at..]) {
                at = end_of_item(tokens, at + 2);
            } else if let Some((name, body)) = inline_module(&tokens[at..]) {
                let inner = joined(module, name);
                self.known.insert(inner.clone());
                self.read(&inner, &body, file);
                at += 3;
            } else if is_word(&tokens[at], "use") {
                let end = (at..tokens.len()).find(|at| is_punct(&tokens[*at], ';')).unwrap_or(tokens.len());
                for path in paths(&tokens[at + 1..end]) {
                    self.import(module, &path, file);
                }
                at = end;
            } else if let Some((path, length)) = simple_path(&tokens[at..]) {
                self.refer(module, &path, file);
                at += length;
            } else {
                if let TokenTree::Group(group) = &tokens[at] {
                    self.read(module, &group.stream().into_iter().collect::<Vec<_>>(), file);
                }
                at += 1;
            }
        }
    }

    fn import(&mut self, module: &Path, path: &Path, file: &str) {
        let absolute = absolute(module, path).unwrap_or_else(|| [module.as_slice(), path].concat());
        if let Some(name) = path.last() {
            self.imported.insert((module.clone(), name.clone()), absolute.clone());
        }
        self.references.push((module.clone(), absolute, file.to_owned()));
    }

    fn refer(&mut self, module: &Path, path: &Path, file: &str) {
        if let Some(absolute) = absolute(module, path) {
            self.references.push((module.clone(), absolute, file.to_owned()));
        }
    }

    /// The module that defines what the path names, as far as imports tell.
    fn defining(&self, path: &Path, depth: usize) -> Option<Path> {
        let length = (0..=path.len()).rev().find(|length| self.known.contains(&path[..*length]))?;
        let module = path[..length].to_vec();
        let name = path.get(length);
        let elsewhere = name.and_then(|name| self.imported.get(&(module.clone(), name.clone())));
        match elsewhere {
            Some(other) if depth > 0 && self.is_inside(other) => self.defining(other, depth - 1),
            _ => Some(module),
        }
    }

    /// Whether a path that an import names is of this crate: an import of another crate looks like a submodule's.
    fn is_inside(&self, path: &Path) -> bool {
        path.first().is_some_and(|first| self.known.contains(std::slice::from_ref(first)))
    }

    fn circles(&self) -> Vec<String> {
        let mut levels: BTreeMap<Path, Imports> = BTreeMap::new();
        for (from, path, file) in &self.references {
            let Some(to) = self.defining(path, 4) else { continue };
            let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                let place = || format!("{file} uses {}", path.join("::"));
                levels.entry(from[..common].to_vec()).or_default().add(one, other, place);
            }
        }
        let circles = levels.into_iter().flat_map(|(parent, imports)| {
            let parent = parent.iter().map(|name| format!("{name}::")).collect::<String>();
            imports.circles().into_iter().map(move |circle| format!("{parent}{{{circle}}}"))
        });
        circles.collect()
    }
}

/// The path from the crate's root, if it begins with `crate`, `self` or `super`.
fn absolute(module: &Path, path: &Path) -> Option<Path> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module.as_slice(), rest].concat()),
        "super" => {
            let parent = module.split_last().map_or(&[][..], |(_, parent)| parent).to_vec();
            absolute(&parent, &rest.to_vec()).or_else(|| Some([parent.as_slice(), rest].concat()))
        }
        _ => None,
    }
}

/// The paths of a `use`: `a::{b, c as d}` names `a::b` and `a::c`.
fn paths(tokens: &[TokenTree]) -> Vec<Path> {
    let mut found = Vec::new();
    for tree in tokens.split(|token| is_punct(token, ',')) {
        let mut prefix = Path::new();
        let mut inner = Vec::new();
        for token in tree {
            match token {
                TokenTree::Ident(word) if word == "as" => break,
                TokenTree::Ident(word) => prefix.push(word.to_string()),
                TokenTree::Group(group) => inner = paths(&group.stream().into_iter().collect::<Vec<_>>()),
                _ => {}
            }
        }
        // `{self}` means the prefix.
        let inner = inner.into_iter().map(|path| if path == ["self"] { Path::new() } else { path });
        let inner: Vec<Path> = inner.map(|path| [prefix.as_slice(), &path].concat()).collect();
        if inner.is_empty() && !prefix.is_empty() {
            found.push(prefix);
        }
        found.extend(inner);
    }
    found
}

/// A path in an expression, a type or a macro's arguments, and how many tokens it has.
fn simple_path(tokens: &[TokenTree]) -> Option<(Path, usize)> {
    if !["crate", "self", "super"].iter().any(|word| is_word(&tokens[0], word)) {
        return None;
    }
    let mut path = vec![tokens[0].to_string()];
    let mut at = 1;
    while let [one, other, TokenTree::Ident(word), ..] = &tokens[at..] {
        if !is_punct(one, ':') || !is_punct(other, ':') {
            break;
        }
        path.push(word.to_string());
        at += 3;
    }
    (path.len() > 1).then_some((path, at))
}

fn inline_module(tokens: &[TokenTree]) -> Option<(String, Vec<TokenTree>)> {
    match tokens {
        [word, TokenTree::Ident(name), TokenTree::Group(body), ..]
            if is_word(word, "mod") && body.delimiter() == Delimiter::Brace =>
        {
            Some((name.to_string(), body.stream().into_iter().collect()))
        }
        _ => None,
    }
}

fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    match tokens {
        [hash, TokenTree::Group(attribute), ..] if is_punct(hash, '#') => {
            let text = attribute.stream().to_string().replace(' ', "");
            text.starts_with("cfg(") && text.contains("test") && !text.contains("not(test")
        }
        _ => false,
    }
}

/// The index after an item: its block, or its semicolon.
fn end_of_item(tokens: &[TokenTree], start: usize) -> usize {
    let is_end = |token: &TokenTree| {
        is_punct(token, ';')
            || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    (start..tokens.len()).find(|at| is_end(&tokens[*at])).map_or(tokens.len(), |at| at + 1)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn joined(module: &Path, name: String) -> Path {
    let mut path = module.clone();
    path.push(name);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(name, text): &(&str, &str)| (format!("app/src/{name}"), (*text).to_owned());
        circles("app", &files.iter().map(file).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn siblings_that_use_each_other_are_found() {
        let found = check(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::{B, other as name};"),
            ("b/deep.rs", "fn f() -> u8 { println!(\"{}\", crate::a::X) }"),
            ("b.rs", "mod deep; pub struct B;"),
        ]);
        assert_eq!(
            found,
            ["circular imports in app: {a -> b -> a (app/src/a.rs uses b::B; app/src/b/deep.rs uses a::X)}"]
        );
    }

    #[test]
    fn a_circle_through_a_name_that_the_parent_imports_is_found() {
        let files = [
            ("p.rs", "mod a; mod b; pub use b::B;"),
            ("p/a.rs", "use super::B; pub struct A;"),
            ("p/b.rs", "use super::a::A; pub struct B;"),
        ];
        assert_eq!(check(&files).len(), 1);
    }

    #[test]
    fn tests_and_submodules_may_use_anything() {
        let files = [
            ("lib.rs", "mod a; mod b; pub struct Root;"),
            (
                "a.rs",
                "use crate::b::B; use crate::Root; mod part; pub struct A; #[cfg(test)] mod tests { use crate::b; }",
            ),
            ("a/part.rs", "use super::A;"),
            (
                "b.rs",
                "#[cfg(test)] use crate::a::A; pub struct B; #[cfg(test)] mod tests { use crate::a::A; }",
            ),
            ("b/tests.rs", "use crate::a::A;"),
            ("main.rs", "use app::a;"),
        ];
        assert_eq!(check(&files), Vec::<String>::new());
    }
}
