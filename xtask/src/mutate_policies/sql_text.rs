//! Removes single conditions and statements from SQL. Parses just enough to find where they begin and end.

/// A text with one part removed, and that part.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Weakened {
    pub(super) without: String,
    pub(super) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Word,
    Open,
    Close,
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
}

/// A token, or a pair of parentheses with its contents.
#[derive(Clone, Copy, Debug)]
struct Item {
    first: usize,
    last: usize,
}

/// Words and symbols at which a condition begins or ends.
const BOUNDARIES: [&str; 29] = [
    "where",
    "on",
    "when",
    "if",
    "elsif",
    "then",
    "else",
    "select",
    "having",
    "return",
    "check",
    "until",
    "while",
    "from",
    "set",
    "values",
    "group",
    "order",
    "limit",
    "union",
    "loop",
    "begin",
    "end",
    "join",
    "case",
    ";",
    ",",
    "constant",
    "returning",
];

/// Removes each term of every AND and OR once, at every depth. A single condition after WHERE becomes true.
pub(super) fn without_each_term(text: &str) -> Vec<Weakened> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    terms_between(text, &tokens, 0, tokens.len(), &mut found);
    found
}

/// Replaces each statement that starts with one of the words with `null`, one at a time.
pub(super) fn without_each_statement(text: &str, beginning: &[&str]) -> Vec<Weakened> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut begins = true;
    for (at, token) in tokens.iter().enumerate() {
        let word = word(text, *token);
        if begins && beginning.contains(&word.as_str()) {
            let last = tokens[at..].iter().find(|token| &text[token.start..token.end] == ";");
            let end = last.map_or(text.len(), |token| token.start);
            found.push(replaced(text, token.start, end, "null"));
        }
        begins = matches!(word.as_str(), ";" | "begin" | "then" | "else" | "loop");
    }
    found
}

fn terms_between(text: &str, tokens: &[Token], from: usize, to: usize, found: &mut Vec<Weakened>) {
    let mut clause: Vec<Item> = Vec::new();
    let mut behind = String::new();
    let mut previous = String::new();
    let mut at = from;
    while at < to {
        let item = Item { first: at, last: closing(tokens, at, to) };
        if item.last > item.first {
            terms_between(text, tokens, item.first + 1, item.last, found);
        }
        let word = word(text, tokens[at]);
        // `is distinct from` is a single operator.
        if BOUNDARIES.contains(&word.as_str()) && !(word == "from" && previous == "distinct") {
            terms_of(text, tokens, &clause, &behind, found);
            clause.clear();
            behind.clone_from(&word);
        } else {
            clause.push(item);
        }
        previous = word;
        at = item.last + 1;
    }
    terms_of(text, tokens, &clause, &behind, found);
}

/// The terms of one condition, whose connectives are all at the same depth.
fn terms_of(text: &str, tokens: &[Token], clause: &[Item], behind: &str, found: &mut Vec<Weakened>) {
    let start = |item: &Item| tokens[item.first].start;
    let end = |item: &Item| tokens[item.last].end;
    let (Some(first), Some(last)) = (clause.first(), clause.last()) else { return };

    let mut connectives = Vec::new();
    let mut is_range = false;
    for (at, item) in clause.iter().enumerate() {
        match word(text, tokens[item.first]).as_str() {
            "between" => is_range = true,
            "and" if is_range => is_range = false,
            "and" | "or" => connectives.push(at),
            _ => {}
        }
    }
    // A connective with nothing on one side does not join conditions.
    if connectives.iter().any(|at| *at == 0 || *at == clause.len() - 1) {
        return;
    }
    if connectives.is_empty() {
        if behind == "where" {
            found.push(replaced(text, start(first), end(last), "true"));
        }
        return;
    }
    let is_and = |at: usize| word(text, tokens[clause[at].first]) == "and";
    for term in 0..=connectives.len() {
        let left = (term > 0).then(|| connectives[term - 1]);
        let right = connectives.get(term).copied();
        let term_start = left.map_or(start(first), |at| start(&clause[at + 1]));
        let term_end = right.map_or(end(last), |at| end(&clause[at - 1]));
        // AND binds more tightly than OR, so remove it with the term.
        let with_right = match (left, right) {
            (Some(left), Some(right)) => !is_and(left) && is_and(right),
            (left, _) => left.is_none(),
        };
        let (cut_start, cut_end) = match (left, right) {
            (_, Some(right)) if with_right => (term_start, start(&clause[right + 1])),
            (Some(left), _) => (end(&clause[left - 1]), term_end),
            _ => continue,
        };
        found.push(Weakened {
            without: one_line(&text[term_start..term_end]),
            text: format!("{}{}", &text[..cut_start], &text[cut_end..]),
        });
    }
}

fn replaced(text: &str, start: usize, end: usize, by: &str) -> Weakened {
    Weakened { without: one_line(&text[start..end]), text: format!("{}{by}{}", &text[..start], &text[end..]) }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The matching closing parenthesis, or `at` for any other token.
fn closing(tokens: &[Token], at: usize, to: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().take(to).skip(at) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    to.saturating_sub(1).max(at)
}

/// In lower case. Empty for quoted text, which contains no keywords.
fn word(text: &str, token: Token) -> String {
    let written = &text[token.start..token.end];
    if written.starts_with(['\'', '"', '$']) { String::new() } else { written.to_lowercase() }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(letter) = text[start..].chars().next() {
        let rest = &text[start..];
        let (kind, length) = match letter {
            _ if letter.is_whitespace() => (None, letter.len_utf8()),
            '-' if rest.starts_with("--") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").map_or(rest.len(), |end| end + 2)),
            '\'' | '"' => (Some(Kind::Other), quoted(rest, letter)),
            '$' if dollar_quoted(rest).is_some() => (Some(Kind::Other), dollar_quoted(rest).unwrap_or(1)),
            '(' | '[' => (Some(Kind::Open), 1),
            ')' | ']' => (Some(Kind::Close), 1),
            _ if is_word(letter) => {
                (Some(Kind::Word), rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()))
            }
            _ => (Some(Kind::Other), letter.len_utf8()),
        };
        if let Some(kind) = kind {
            tokens.push(Token { kind, start, end: start + length });
        }
        start += length;
    }
    tokens
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '.'
}

/// The length of a quoted text. A doubled quote reads as two adjacent texts, which is harmless.
fn quoted(rest: &str, quote: char) -> usize {
    rest[1..].find(quote).map_or(rest.len(), |end| end + 2)
}

fn dollar_quoted(rest: &str) -> Option<usize> {
    let tag = rest.find('$').and_then(|_| rest[1..].find('$')).map(|end| &rest[..end + 2])?;
    let is_tag = tag[1..tag.len() - 1].chars().all(|letter| letter.is_alphabetic() || letter == '_');
    let end = rest[tag.len()..].find(tag)?;
    is_tag.then_some(end + 2 * tag.len())
}

#[cfg(test)]
mod tests;
