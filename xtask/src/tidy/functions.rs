//! Finds functions that are too long. Formatted code ends a function with a brace at the
//! indentation of its first line.

/// Lines, from the signature to the closing brace.
const LONGEST: usize = 50;

/// One line for each function of a Rust file that is too long.
pub fn too_long(file: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = lines.iter().enumerate().filter_map(|(at, line)| Some((at, name(line)?)));
    starts
        .filter_map(|(at, name)| Some((at, name, length(&lines[at..])?)))
        .filter(|(_, _, length)| *length > LONGEST)
        .map(|(at, name, length)| {
            format!("{file}:{}: {name} has {length} lines, at most {LONGEST}: split it by meaning", at + 1)
        })
        .collect()
}

/// The name of the function that begins on this line.
fn name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let modifiers = ["pub", "const", "async", "unsafe"];
    let keyword = words.find(|word| !modifiers.contains(word) && !word.starts_with("pub("))?;
    let rest = (keyword == "fn").then(|| words.next())??;
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// `None` for a function on one line, or without a body.
fn length(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    let end = format!("{}}}", &first[..first.len() - first.trim_start().len()]);
    if first.ends_with(['}', ';']) {
        return None;
    }
    lines.iter().position(|line| *line == end).map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(signature: &str, lines: usize) -> String {
        format!("impl A {{\n    {signature} {{\n{}    }}\n}}\n", "        x();\n".repeat(lines - 2))
    }

    #[test]
    fn only_functions_over_the_limit_are_found() {
        assert_eq!(too_long("a.rs", &function("fn short()", 50)), Vec::<String>::new());
        let found = too_long("a.rs", &function("pub(super) async fn long<T>(a: T)", 51));
        assert_eq!(found, ["a.rs:2: long has 51 lines, at most 50: split it by meaning"]);
    }

    #[test]
    fn declarations_and_other_words_are_not_functions() {
        let text =
            format!("trait A {{\n    fn a();\n    fn b() {{}}\n}}\n{}", "let fn_name = 1;\n".repeat(60));
        assert_eq!(too_long("a.rs", &text), Vec::<String>::new());
    }
}
