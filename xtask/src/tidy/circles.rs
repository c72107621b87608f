//! Finds cycles in a graph of imports.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The imports of each module, with an example of each.
#[derive(Default)]
pub struct Imports {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Imports {
    pub fn add(&mut self, from: &str, to: &str, place: impl FnOnce() -> String) {
        if from != to {
            self.edges.entry(from.to_owned()).or_default().entry(to.to_owned()).or_insert_with(place);
        }
    }

    /// One line for each group of modules that import each other: its shortest cycle, with examples.
    pub fn circles(&self) -> Vec<String> {
        let mut reported = BTreeSet::new();
        let mut circles = Vec::new();
        for start in self.edges.keys() {
            if reported.contains(start) {
                continue;
            }
            if let Some(circle) = self.shortest_circle(start) {
                let reachable = self.reachable(start);
                reported.extend(reachable.into_iter().filter(|other| self.reachable(other).contains(start)));
                circles.push(self.describe(&circle));
            }
        }
        circles
    }

    fn imported_by(&self, module: &str) -> impl Iterator<Item = &String> {
        self.edges.get(module).into_iter().flat_map(BTreeMap::keys)
    }

    /// Everything that `start` imports, directly or not.
    fn reachable<'a>(&'a self, start: &'a str) -> BTreeSet<&'a String> {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(module) = open.pop() {
            open.extend(self.imported_by(module).filter(|next| seen.insert(*next)).map(String::as_str));
        }
        seen
    }

    /// The shortest path from `start` to itself. `start` is its first and its last element.
    fn shortest_circle<'a>(&'a self, start: &'a str) -> Option<Vec<&'a str>> {
        let mut from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(module) = open.pop_front() {
            for next in self.imported_by(module) {
                if next == start {
                    let mut circle = vec![start, module];
                    while let Some(last) = circle.last().filter(|last| **last != start) {
                        circle.push(from[last]);
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if !from.contains_key(next.as_str()) {
                    from.insert(next, module);
                    open.push_back(next);
                }
            }
        }
        None
    }

    fn describe(&self, circle: &[&str]) -> String {
        let places = circle.windows(2).map(|pair| self.edges[pair[0]][pair[1]].as_str());
        format!("{} ({})", circle.join(" -> "), places.collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(edges: &[(&str, &str)]) -> Imports {
        let mut imports = Imports::default();
        for (from, to) in edges {
            imports.add(from, to, || format!("{from}.rs"));
        }
        imports
    }

    #[test]
    fn the_shortest_circle_is_reported_once() {
        let found = imports(&[("a", "b"), ("b", "c"), ("c", "a"), ("b", "a"), ("c", "d")]).circles();
        assert_eq!(found, ["a -> b -> a (a.rs; b.rs)"]);
    }

    #[test]
    fn every_group_is_reported() {
        let found = imports(&[("a", "b"), ("b", "a"), ("x", "y"), ("y", "z"), ("z", "x")]).circles();
        assert_eq!(found, ["a -> b -> a (a.rs; b.rs)", "x -> y -> z -> x (x.rs; y.rs; z.rs)"]);
    }

    #[test]
    fn layers_are_not_a_circle() {
        assert!(imports(&[("a", "b"), ("a", "c"), ("b", "c"), ("a", "a")]).circles().is_empty());
    }
}
