//! "Perhaps you meant …" hints. The closest known name is found with the same algorithm as in PostgREST
//! (FuzzySet): compare names by the cosine similarity of their trigrams, then of their bigrams, and rank
//! the best by edit distance.

use std::collections::{BTreeSet, HashMap};

use crate::schema_cache::SchemaCache;
use crate::schema_cache::routines::Routine;

/// Table and function names are suggested only when they are this close to the requested name.
pub const NAME_SCORE: f64 = 0.75;
const DEFAULT_SCORE: f64 = 0.33;
/// If the lengths of two names in bytes differ by more than this factor, [`similarity`] is below [`DEFAULT_SCORE`],
/// even if the longer name consists of four-byte letters and the shorter one of one-byte letters.
const MAX_LENGTH_RATIO: usize = 13;

/// Returns the name closest to `wanted` if it scores at least `minimum`.
pub fn closest<'a>(names: impl Iterator<Item = &'a str>, wanted: &str, minimum: f64) -> Option<String> {
    scored(names, wanted).into_iter().next().filter(|(score, _)| *score >= minimum).map(|(_, name)| name)
}

/// Suggests another parent, or another child of a known parent.
pub fn relation(cache: &SchemaCache, schema: &str, parent: &str, child: &str) -> Option<String> {
    let tables = cache.relations.get(schema)?;
    if let Some(relations) = tables.get(parent) {
        let children: BTreeSet<&str> =
            relations.iter().map(|relation| relation.foreign.name.as_str()).collect();
        let (score, found) = scored(children.into_iter(), child).into_iter().next()?;
        // An exact match means that the hint was wrong, not the name.
        return (DEFAULT_SCORE..1.0)
            .contains(&score)
            .then(|| format!("Perhaps you meant '{found}' instead of '{child}'."));
    }
    let found = closest(tables.keys().map(String::as_str), parent, DEFAULT_SCORE)?;
    Some(format!("Perhaps you meant '{found}' instead of '{parent}'."))
}

/// Suggests another function, or another overload of the requested one.
pub fn routine(
    cache: &SchemaCache,
    schema: &str,
    name: &str,
    arguments: &BTreeSet<String>,
) -> Option<String> {
    let overloads = cache.routines_named(schema, name);
    let meant = if overloads.is_empty() {
        let names = cache.routines.get(schema)?.keys().map(String::as_str);
        closest(names, name, NAME_SCORE)?
    } else {
        let known: Vec<String> = overloads.iter().map(signature).collect();
        let requested = format!("({})", arguments.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
        format!("{name}{}", closest(known.iter().map(String::as_str), &requested, DEFAULT_SCORE)?)
    };
    Some(format!("Perhaps you meant to call the function {schema}.{meant}"))
}

fn signature(routine: &Routine) -> String {
    let names: BTreeSet<&str> = routine.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!("({})", names.into_iter().collect::<Vec<_>>().join(", "))
}

/// Names with their scores, best first.
fn scored<'a>(names: impl Iterator<Item = &'a str>, wanted: &str) -> Vec<(f64, String)> {
    let names: BTreeSet<&str> = names.collect();
    // A name that is several times as long as all others is similar to none.
    let longest = names.iter().map(|name| name.len()).max().unwrap_or_default();
    if wanted.len() > MAX_LENGTH_RATIO * longest {
        return Vec::new();
    }
    let normal = wanted.to_lowercase();
    if let Some(exact) = names.iter().find(|name| name.to_lowercase() == normal) {
        return vec![(1.0, (*exact).to_owned())];
    }
    for size in [3, 2] {
        let groups = letter_groups(&normal, size);
        let mut similar: Vec<(f64, &str)> = names
            .iter()
            .map(|name| (cosine(&groups, &letter_groups(&name.to_lowercase(), size)), *name))
            .collect();
        similar.retain(|(score, _)| *score > 0.0);
        if similar.is_empty() {
            continue;
        }
        similar.sort_by(|one, two| two.0.total_cmp(&one.0));
        similar.truncate(50);
        let mut best: Vec<(f64, String)> = similar
            .into_iter()
            .map(|(_, name)| (similarity(&normal, &name.to_lowercase()), name.to_owned()))
            .collect();
        best.sort_by(|one, two| two.0.total_cmp(&one.0));
        if best.first().is_some_and(|(score, _)| *score >= DEFAULT_SCORE) {
            return best;
        }
    }
    Vec::new()
}

fn letter_groups(text: &str, size: usize) -> HashMap<Vec<char>, f64> {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric() || " ,_-".contains(*letter));
    let padded: Vec<char> = std::iter::once('-').chain(letters).chain(std::iter::once('-')).collect();
    let mut groups = HashMap::new();
    for group in padded.windows(size) {
        *groups.entry(group.to_vec()).or_insert(0.0) += 1.0;
    }
    groups
}

fn cosine(one: &HashMap<Vec<char>, f64>, two: &HashMap<Vec<char>, f64>) -> f64 {
    let norm =
        |groups: &HashMap<Vec<char>, f64>| groups.values().map(|count| count * count).sum::<f64>().sqrt();
    let common: f64 =
        one.iter().map(|(group, count)| count * two.get(group).copied().unwrap_or_default()).sum();
    let product = norm(one) * norm(two);
    if product == 0.0 { 0.0 } else { common / product }
}

/// Similarity by edit distance: 1 for equal texts, less for every changed letter.
#[expect(clippy::cast_precision_loss, reason = "names are short")]
fn similarity(one: &str, two: &str) -> f64 {
    let (one, two): (Vec<char>, Vec<char>) = (one.chars().collect(), two.chars().collect());
    let mut previous: Vec<usize> = (0..=two.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in two.iter().enumerate() {
            let change = previous[column] + usize::from(letter != other);
            current.push(change.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    let distance = previous.last().copied().unwrap_or_default();
    let longest = one.len().max(two.len()).max(1);
    1.0 - distance as f64 / longest as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found() {
        let names = || ["films", "directors", "roles"].into_iter();
        assert_eq!(closest(names(), "film", DEFAULT_SCORE).as_deref(), Some("films"));
        assert_eq!(closest(names(), "noclosealternative", DEFAULT_SCORE), None);
    }

    #[test]
    fn arguments_are_compared_as_a_whole() {
        let names = || ["(name, param, val)", "(attr, id)"].into_iter();
        assert_eq!(
            closest(names(), "(nam, pqaram, vall)", DEFAULT_SCORE).as_deref(),
            Some("(name, param, val)")
        );
        assert_eq!(closest(names(), "(id)", DEFAULT_SCORE).as_deref(), Some("(attr, id)"));
    }
}
