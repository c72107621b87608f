//! Styles are Tailwind's utilities. Hand-written CSS is for rules that utilities can't express, and a `style`
//! attribute for computed values.

/// The most lines of hand-written CSS in total: the tokens, the base, text pages, and the overrides of
/// libraries' styles.
const MOST_LINES: usize = 600;

/// One line if the style sheets together are longer than allowed. `sheets` are their names and lengths.
pub fn too_much_css(sheets: &[(String, usize)]) -> Option<String> {
    let total: usize = sheets.iter().map(|(_, lines)| lines).sum();
    let (longest, _) = sheets.iter().max_by_key(|(_, lines)| lines)?;
    (total > MOST_LINES).then(|| {
        format!(
            "{total} lines of CSS, at most {MOST_LINES}: use utilities (the longest style sheet is {longest})"
        )
    })
}

/// One line for each literal value in a `style={{…}}`.
pub fn literal_values(file: &str, text: &str) -> Vec<String> {
    const START: &str = "style={{";
    let mut violations = Vec::new();
    for (start, _) in text.match_indices(START) {
        let rest = &text[start + START.len()..];
        let line = text[..start].matches('\n').count() + 1;
        for property in properties(rest) {
            if let Some((name, value)) = property.split_once(':')
                && is_literal(value.trim())
            {
                violations.push(format!("{file}:{line}: `{}` is not computed: use a utility", name.trim()));
            }
        }
    }
    violations
}

/// The properties of an object, whose text starts behind its opening brace. Values may contain brackets and strings.
fn properties(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0_u32, None, 0);
    let mut found = Vec::new();
    for (place, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ',') if depth == 0 => {
                found.push(&text[start..place]);
                start = place + 1;
            }
            (None, ')' | ']' | '}') => {
                if depth == 0 {
                    found.push(&text[start..place]);
                    break;
                }
                depth -= 1;
            }
            (None, _) => {}
        }
    }
    found
}

/// A number or a whole string.
fn is_literal(value: &str) -> bool {
    let string = ["'", "\"", "`"].iter().any(|quote| {
        value
            .strip_prefix(quote)
            .and_then(|value| value.strip_suffix(quote))
            .is_some_and(|inner| !inner.contains(quote) && !inner.contains("${"))
    });
    string || value.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(text: &str) -> Vec<String> {
        literal_values("a.tsx", text)
    }

    #[test]
    fn literal_values_are_rejected() {
        assert_eq!(
            literals("<p\n  style={{ gap: 8, color: 'red' }}>"),
            [
                "a.tsx:2: `gap` is not computed: use a utility",
                "a.tsx:2: `color` is not computed: use a utility"
            ]
        );
        assert_eq!(literals("<p style={{ marginTop: -1.5, width }} />").len(), 1);
        assert_eq!(literals("<p style={{ width: `100%`, height: size }} />").len(), 1);
        assert_eq!(literals("<p style={{\n  width: f(1, 'b'),\n  top: 0,\n}} />").len(), 1);
    }

    #[test]
    fn computed_values_are_allowed() {
        for text in [
            "<i style={{ width: `${percent}%` }} />",
            "<i style={{ width: size, height: size * 0.42, ...more }} />",
            "<i style={{ background: COLORS[name], top: `${a['x']}px` }} />",
            "<i style={{ width: on ? '1px' : '2px' }} />",
            "<i style={style} />",
        ] {
            assert_eq!(literals(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn the_style_sheets_are_counted_together() {
        let sheets = |lengths: &[usize]| -> Vec<_> {
            lengths.iter().enumerate().map(|(index, lines)| (format!("{index}.css"), *lines)).collect()
        };
        assert_eq!(too_much_css(&sheets(&[400, 200])), None);
        let violation = too_much_css(&sheets(&[400, 201])).unwrap();
        assert!(violation.starts_with("601 lines of CSS") && violation.contains("0.css"), "{violation}");
        assert_eq!(too_much_css(&[]), None);
    }
}
