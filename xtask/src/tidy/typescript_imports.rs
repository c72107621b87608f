//! Circular imports among TypeScript files: of values, of types, and loaded later with `import()`.

use std::collections::BTreeSet;

use super::circles::Imports;

/// Circles among the files, given with their text. `@/` is below `source`.
pub fn circles(source: &str, files: &[(String, String)]) -> Vec<String> {
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let mut imports = Imports::default();
    for (file, text) in files {
        for path in imported_paths(text) {
            if let Some(other) = resolve(source, &names, file, path) {
                imports.add(file, &other, || format!("'{path}'"));
            }
        }
    }
    imports.circles().into_iter().map(|circle| format!("circular imports: {circle}")).collect()
}

/// The quoted text after `from`, `import` or `import(`.
fn imported_paths(text: &str) -> impl Iterator<Item = &str> {
    let mut pieces = text.split('\'');
    let mut before = pieces.next().unwrap_or_default();
    std::iter::from_fn(move || {
        loop {
            let path = pieces.next()?;
            let words = before.trim_end();
            let is_import = ["from", "import", "import("].iter().any(|word| words.ends_with(word));
            if is_import && !path.contains('\n') {
                before = pieces.next()?;
                return Some(path);
            }
            // The quote can be an apostrophe: what follows it can end with `from`, too.
            before = path;
        }
    })
}

fn resolve(source: &str, names: &BTreeSet<&str>, file: &str, path: &str) -> Option<String> {
    let base = if let Some(below) = path.strip_prefix("@/") {
        format!("{source}/{below}")
    } else if path.starts_with('.') {
        let mut parts: Vec<&str> = file.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    } else {
        return None;
    };
    ["", ".ts", ".tsx", "/index.ts", "/index.tsx"]
        .iter()
        .map(|ending| format!("{base}{ending}"))
        .find(|candidate| names.contains(candidate.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(name, text): &(&str, &str)| (format!("src/{name}"), (*text).to_owned());
        circles("src", &files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn types_and_later_imports_count() {
        let found = check(&[
            ("a.ts", "// it's a comment\nimport type { B } from '@/b/index';"),
            ("b/index.ts", "export * from './c';"),
            ("b/c.tsx", "const later = () => import('../a');"),
        ]);
        assert_eq!(
            found,
            [
                "circular imports: src/a.ts -> src/b/index.ts -> src/b/c.tsx -> src/a.ts ('@/b/index'; './c'; '../a')"
            ]
        );
    }

    #[test]
    fn packages_and_layers_are_not_a_circle() {
        let files = [("a.ts", "import React from 'react';\nimport './b';"), ("b.ts", "import 'c';")];
        assert_eq!(check(&files), Vec::<String>::new());
    }
}
