//! Removes single terms of conditions, and single statements of functions.

/// Each term of each AND and OR, with the expression without it. `text` is an expression as PostgreSQL prints it: the
/// terms of one connective are in parentheses of their own.
pub fn without_each_term(text: &str) -> Vec<(String, String)> {
    let plain = blanked(text);
    let mut found = Vec::new();
    let mut open = Vec::new();
    // Each pair of parentheses, the inner ones first.
    for (at, letter) in plain.char_indices() {
        match letter {
            '(' => open.push(at + 1),
            ')' => {
                if let Some(start) = open.pop() {
                    found.extend(terms(text, &plain, start, at));
                }
            }
            _ => {}
        }
    }
    found
}

/// The terms between two places, if they are joined by AND or OR outside of inner parentheses.
fn terms(text: &str, plain: &str, start: usize, end: usize) -> Vec<(String, String)> {
    let mut depth = 0_usize;
    let mut joints = Vec::new();
    for (at, letter) in plain[start..end].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                let rest = &plain[start + at..end];
                let joint = [" AND ", " OR "].into_iter().find(|joint| rest.starts_with(joint));
                joints.extend(joint.map(|joint| (start + at, start + at + joint.len())));
            }
            _ => {}
        }
    }
    let firsts = std::iter::once(start).chain(joints.iter().map(|(_, after)| *after));
    let lasts = joints.iter().map(|(before, _)| *before).chain([end]);
    let spans: Vec<_> = firsts.zip(lasts).collect();
    let without = |(index, (from, to)): (usize, &(usize, usize))| {
        // The connective after the term goes with it, or the one before the last term.
        let (cut_from, cut_to) = match joints.get(index) {
            Some((_, after)) => (*from, *after),
            None => (joints[index - 1].0, *to),
        };
        (one_line(&text[*from..*to]), format!("{}{}", &text[..cut_from], &text[cut_to..]))
    };
    if joints.is_empty() { Vec::new() } else { spans.iter().enumerate().map(without).collect() }
}

/// Each statement that starts with one of the words, with the body in which it is `null`.
pub fn without_each_statement(body: &str, words: &[&str]) -> Vec<(String, String)> {
    let plain = blanked(body).to_lowercase();
    let mut found = Vec::new();
    for word in words {
        for (start, _) in plain.match_indices(word) {
            let before = plain[..start].trim_end();
            let begins = before.ends_with(';')
                || ["begin", "then", "else", "loop"].iter().any(|end| before.ends_with(end));
            let is_word = plain[start + word.len()..].starts_with(char::is_whitespace);
            if begins && is_word && before.len() < start {
                let end = plain[start..].find(';').map_or(body.len(), |length| start + length);
                found.push((one_line(&body[start..end]), format!("{}null{}", &body[..start], &body[end..])));
            }
        }
    }
    found
}

/// The text with spaces instead of what quotes and comments contain. Every byte keeps its place.
fn blanked(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            '\'' | '"' => rest[1..].find(letter).map_or(rest.len(), |end| end + 2),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            _ => 0,
        };
        if length == 0 && letter.is_ascii() {
            plain.push(letter);
        } else {
            plain.push_str(&" ".repeat(length.max(letter.len_utf8())));
        }
        rest = &rest[length.max(letter.len_utf8())..];
    }
    plain
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<String> {
        without_each_term(text).into_iter().map(|(_, rest)| rest).collect()
    }

    #[test]
    fn every_term_is_removed_once() {
        assert_eq!(left("(a OR (b = 1) OR c)"), ["((b = 1) OR c)", "(a OR c)", "(a OR (b = 1))"]);
        assert_eq!(left("(x AND (y OR z))"), ["(x AND (z))", "(x AND (y))", "((y OR z))", "(x)"]);
        assert_eq!(left("CHECK (((a) AND (NOT b)))"), ["CHECK (((NOT b)))", "CHECK (((a)))"]);
        assert_eq!(without_each_term("((é = 'x') AND b)")[0].0, "(é = 'x')");
    }

    #[test]
    fn quoted_words_join_nothing() {
        assert_eq!(left("(a = 'x AND y')"), Vec::<String>::new());
        assert_eq!(left("((\"a OR b\" = 'it''s (') AND b)"), ["(b)", "((\"a OR b\" = 'it''s ('))"]);
    }

    #[test]
    fn whole_statements_are_replaced() {
        let body = "begin -- raise no;\n if x then raise exception 'a; b' using errcode = '1'; end if; perform f(1); return performed; end";
        let found = without_each_statement(body, &["raise", "perform"]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, "raise exception 'a; b' using errcode = '1'");
        assert!(found[1].1.ends_with("end if; null; return performed; end"), "{}", found[1].1);
    }
}
