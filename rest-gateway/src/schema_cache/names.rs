//! Finds the known name closest to an unknown one, with the same algorithm as PostgREST (FuzzySet): compare names by
//! the cosine similarity of their trigrams, then of their bigrams, and rank the best by edit distance.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The lowest score of a name that is close.
pub const MIN_SCORE: f64 = 0.33;
/// If the lengths of two names in bytes differ by more than this factor, [`similarity`] is below [`MIN_SCORE`], even
/// if the longer name consists of four-byte letters and the shorter one of one-byte letters.
const MAX_LENGTH_RATIO: usize = 13;
const SIZES: [usize; 2] = [3, 2];

/// Names by the groups of letters that they contain, so that most names are not compared at all.
#[derive(Debug)]
pub struct Names {
    /// In alphabetical order.
    names: Vec<String>,
    longest: usize,
    /// The first name with these letters, ignoring case.
    by_letters: HashMap<String, usize>,
    indexes: [GroupIndex; SIZES.len()],
}

#[derive(Debug, Default)]
struct GroupIndex {
    /// The names that contain a group, and how often.
    names: HashMap<Vec<char>, Vec<(usize, f64)>>,
    norms: Vec<f64>,
}

impl Names {
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<String> = names.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect();
        let mut by_letters = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            by_letters.entry(name.to_lowercase()).or_insert(index);
        }
        let indexes = SIZES.map(|size| GroupIndex::new(&names, size));
        let longest = names.iter().map(String::len).max().unwrap_or_default();
        Self { names, longest, by_letters, indexes }
    }

    /// The name closest to `wanted` if it scores at least `minimum`.
    pub fn closest(&self, wanted: &str, minimum: f64) -> Option<&str> {
        self.best(wanted).filter(|(score, _)| *score >= minimum).map(|(_, name)| name)
    }

    /// The closest name and its score. The score of equal names is 1.
    pub fn best(&self, wanted: &str) -> Option<(f64, &str)> {
        // A name that is several times as long as all others is similar to none.
        if wanted.len() > MAX_LENGTH_RATIO * self.longest {
            return None;
        }
        let normal = wanted.to_lowercase();
        if let Some(exact) = self.by_letters.get(&normal) {
            return Some((1.0, &self.names[*exact]));
        }
        SIZES.iter().zip(&self.indexes).find_map(|(size, index)| {
            let ranked = index.most_similar(&letter_groups(&normal, *size)).into_iter().map(|found| {
                let name = self.names[found].as_str();
                (similarity(&normal, &name.to_lowercase()), name)
            });
            // The first of several with the same score.
            let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
            best.filter(|(score, _)| *score >= MIN_SCORE)
        })
    }
}

impl GroupIndex {
    fn new(names: &[String], size: usize) -> Self {
        let mut index = Self::default();
        for (number, name) in names.iter().enumerate() {
            let groups = letter_groups(&name.to_lowercase(), size);
            index.norms.push(norm(&groups));
            for (group, count) in groups {
                index.names.entry(group).or_default().push((number, count));
            }
        }
        index
    }

    /// The names that have groups in common with `wanted`, the most similar ones first.
    fn most_similar(&self, wanted: &HashMap<Vec<char>, f64>) -> Vec<usize> {
        let mut common: BTreeMap<usize, f64> = BTreeMap::new();
        for (group, count) in wanted {
            for (number, times) in self.names.get(group).into_iter().flatten() {
                *common.entry(*number).or_default() += count * times;
            }
        }
        let norm = norm(wanted);
        let mut similar: Vec<(usize, f64)> = common
            .into_iter()
            .map(|(number, common)| (number, common / (norm * self.norms[number])))
            .collect();
        similar.sort_by(|one, two| two.1.total_cmp(&one.1));
        similar.truncate(50);
        similar.into_iter().map(|(number, _)| number).collect()
    }
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

fn norm(groups: &HashMap<Vec<char>, f64>) -> f64 {
    groups.values().map(|count| count * count).sum::<f64>().sqrt()
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
        let names = Names::new(["films", "directors", "roles"].into_iter());
        assert_eq!(names.closest("film", MIN_SCORE), Some("films"));
        assert_eq!(names.closest("noclosealternative", MIN_SCORE), None);
        assert_eq!(names.best("FILMS"), Some((1.0, "films")));
        assert_eq!(names.best(&"x".repeat(1000)), None);
        assert_eq!(Names::new(std::iter::empty()).best("films"), None);
    }

    #[test]
    fn arguments_are_compared_as_a_whole() {
        let names = Names::new(["(name, param, val)", "(attr, id)"].into_iter());
        assert_eq!(names.closest("(nam, pqaram, vall)", MIN_SCORE), Some("(name, param, val)"));
        assert_eq!(names.closest("(id)", MIN_SCORE), Some("(attr, id)"));
    }
}
