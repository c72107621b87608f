//! Keeps out words and phrases that we once made up or translated literally. Reviews find the rest.

/// Names, as they are spelled here, and what to write instead.
const NAMES: [(&str, &str); 5] = [
    ("Face", "ErrorBody"),
    ("Manner", "Priority"),
    ("Remark", "ParseNote"),
    ("Trouble", "ParseError"),
    ("Wish", "the name of the option"),
];

/// Phrases in lower case, and what to write instead. They are found in any case.
const PHRASES: [(&str, &str); 16] = [
    ("alike long", "the same time"),
    ("are let finish", "are allowed to finish"),
    ("as one has it", "the subject by its name"),
    ("come along", "are bundled"),
    ("comes along", "is bundled"),
    ("everywhere else you were", "your other sessions"),
    ("follows from a deed", "side effects"),
    ("is refused it", "what cannot be done"),
    ("less of the name", "a shorter name"),
    ("look in again", "check back soon"),
    ("not to be had", "unavailable"),
    ("nought", "zero"),
    ("take what was saved", "use the saved version"),
    ("they rest while", "disabled while"),
    ("troubles", "errors"),
    ("whoever asks", "the caller"),
];

/// Texts for users and readers, where two spellings would do: the one to avoid, and ours. Errors that follow
/// PostgREST's and Supabase's texts are in other folders.
const SPELLINGS: [(&str, &str); 2] = [("cannot", "can't"), ("email address", "e-mail address")];
const SPELLED: [&str; 6] =
    ["CHANGELOG.md", "README.md", "db/backend/", "db/marketplace/", "docs/", "frontend/src/"];
/// The specification's own text.
const SPECIFIED: &str = "Invalid email address";

/// One line for each place where a file uses one of the words.
pub fn invented(file: &str, text: &str) -> Vec<String> {
    if is_exempt(file) {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let names = NAMES.iter().flat_map(|(word, instead)| {
        lines_with(text, word).into_iter().map(move |line| (line, word, instead))
    });
    let phrases = PHRASES.iter().flat_map(|(words, instead)| {
        lines_with(&lower, words).into_iter().map(move |line| (line, words, instead))
    });
    let plain = lower.replace(&SPECIFIED.to_lowercase(), "");
    let spellings = SPELLINGS.iter().filter(|_| SPELLED.iter().any(|folder| file.starts_with(folder)));
    let spellings = spellings.flat_map(|(words, instead)| {
        lines_with(&plain, words).into_iter().map(move |line| (line, words, instead))
    });
    names
        .chain(phrases)
        .chain(spellings)
        .map(|(line, words, instead)| format!("{file}:{line}: `{words}`, better: {instead}"))
        .collect()
}

/// Seeds are made-up people's texts. Released migrations never change, their comments included.
fn is_exempt(file: &str) -> bool {
    ["db/seed/", "db/bridge/", "xtask/src/tidy/words.rs"].iter().any(|exempt| file.starts_with(exempt))
}

/// The lines that contain the words as whole words.
fn lines_with(text: &str, words: &str) -> Vec<usize> {
    let starts = text.match_indices(words).map(|(start, _)| start);
    starts
        .filter(|start| {
            !text[..*start].ends_with(is_letter) && !text[start + words.len()..].starts_with(is_letter)
        })
        .map(|start| text[..start].matches('\n').count() + 1)
        .collect()
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_words_are_found_with_their_line() {
        let text = "/// PostgreSQL\n/// Comes along.\nstruct Trouble;";
        let expected = ["a.rs:3: `Trouble`, better: ParseError", "a.rs:2: `comes along`, better: is bundled"];
        assert_eq!(invented("a.rs", text), expected);
    }

    #[test]
    fn only_whole_words_count_and_names_as_they_are_spelled() {
        let text = "let troubleshoot = Facebook::thoughtful(trouble, face, Wishes, Remark_);";
        assert_eq!(invented("a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn texts_use_one_spelling() {
        let text = "cannot\nthe email address\nInvalid email address";
        let expected =
            ["docs/a.md:1: `cannot`, better: can't", "docs/a.md:2: `email address`, better: e-mail address"];
        assert_eq!(invented("docs/a.md", text), expected);
        assert_eq!(invented("rest-gateway/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn seeds_are_exempt() {
        assert_eq!(invented("db/seed/people.sql", "Trouble").len(), 0);
        assert_eq!(invented("db/marketplace/access/people.sql", "Trouble").len(), 1);
    }
}
