//! Finds the known name closest to an unknown one, with the same algorithm as PostgREST (FuzzySet): compare names by
//! the cosine similarity of their trigrams, then of their bigrams, and rank the best by edit distance.

use std::collections::{BTreeSet, HashMap};

use strsim::normalized_levenshtein;

/// The lowest score of a name that is close.
pub const MIN_SCORE: f64 = 0.33;
/// If the lengths of two names in bytes differ by more than this factor, their score is below [`MIN_SCORE`], even
/// if the longer name consists of four-byte letters and the shorter one of one-byte letters.
const MAX_LENGTH_RATIO: usize = 13;
/// How many of the most similar names are ranked by edit distance.
const MAX_RANKED: usize = 50;

/// The closest name and its score. The score of names that differ only in case is 1.
pub fn closest<'n>(names: impl IntoIterator<Item = &'n str>, wanted: &str) -> Option<(f64, &'n str)> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let longest = names.iter().map(|name| name.len()).max()?;
    // A name that is several times as long as all others is similar to none.
    if wanted.len() > MAX_LENGTH_RATIO * longest {
        return None;
    }
    let normal = wanted.to_lowercase();
    let names: Vec<(String, &str)> = names.into_iter().map(|name| (name.to_lowercase(), name)).collect();
    if let Some((_, exact)) = names.iter().find(|(lower, _)| *lower == normal) {
        return Some((1.0, exact));
    }
    [3, 2].into_iter().find_map(|size| {
        let groups = letter_groups(&normal, size);
        let likeness = |(lower, _): &(String, &str)| cosine(&groups, &letter_groups(lower, size));
        let mut similar: Vec<_> = names.iter().map(|name| (likeness(name), name)).collect();
        similar.retain(|(likeness, _)| *likeness > 0.0);
        similar.sort_by(|one, two| two.0.total_cmp(&one.0));
        let ranked = similar.into_iter().take(MAX_RANKED);
        let ranked = ranked.map(|(_, (lower, name))| (normalized_levenshtein(&normal, lower), *name));
        // The first of several with the same score.
        let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.filter(|(score, _)| *score >= MIN_SCORE)
    })
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
    let norm = |groups: &HashMap<_, f64>| groups.values().map(|count| count * count).sum::<f64>().sqrt();
    let common: f64 = one.iter().filter_map(|(group, count)| Some(count * two.get(group)?)).sum();
    common / (norm(one) * norm(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found() {
        let name = |wanted: &str| closest(["films", "directors", "roles"], wanted).map(|(_, name)| name);
        assert_eq!(name("film"), Some("films"));
        assert_eq!(name("noclosealternative"), None);
        assert_eq!(closest(["films", "directors", "roles"], "FILMS"), Some((1.0, "films")));
        assert_eq!(name(&"x".repeat(1000)), None);
        assert_eq!(closest([], "films"), None);
    }

    #[test]
    fn arguments_are_compared_as_a_whole() {
        let name = |wanted: &str| closest(["(name, param, val)", "(attr, id)"], wanted).map(|(_, name)| name);
        assert_eq!(name("(nam, pqaram, vall)"), Some("(name, param, val)"));
        assert_eq!(name("(id)"), Some("(attr, id)"));
    }
}
