//! The syntax of configuration files.

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Number(f64),
    Flag(bool),
    /// Lists are skipped, because no setting is a list.
    List,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Directive {
    Import(String),
    Set(String, Value),
}

/// # Errors
/// The line and what was expected there.
pub fn parse(text: &str) -> Result<Vec<Directive>, String> {
    let mut cursor = Cursor { rest: text, text };
    let mut directives = Vec::new();
    cursor.directives("", &mut directives)?;
    if cursor.rest.is_empty() { Ok(directives) } else { Err(cursor.expected("a setting")) }
}

struct Cursor<'t> {
    text: &'t str,
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    fn expected(&self, what: &str) -> String {
        let read = &self.text[..self.text.len() - self.rest.len()];
        format!("line {}: expected {what}", read.matches('\n').count() + 1)
    }

    /// Skips blanks, line ends and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
    }

    fn eat(&mut self, token: char) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|found| !is_part(found)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn directives(&mut self, group: &str, into: &mut Vec<Directive>) -> Result<(), String> {
        loop {
            self.skip();
            if !self.rest.starts_with(char::is_alphabetic) {
                return Ok(());
            }
            let key = self.word(|found| found.is_alphanumeric() || "_-.".contains(found));
            self.skip();
            if key == "import" && self.rest.starts_with('"') {
                into.push(Directive::Import(self.string()?));
                continue;
            }
            let key = format!("{group}{key}");
            if self.eat('=') {
                let value = self.value()?;
                into.push(Directive::Set(key, value));
            } else if self.eat('{') {
                self.directives(&format!("{key}."), into)?;
                if !self.eat('}') {
                    return Err(self.expected("`}`"));
                }
            } else {
                return Err(self.expected("`=`"));
            }
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        self.skip();
        if self.rest.starts_with('"') {
            return self.string().map(Value::Text);
        }
        if self.eat('[') {
            while !self.eat(']') {
                self.value()?;
                if !self.eat(',') && !self.rest.starts_with(']') {
                    return Err(self.expected("`,` or `]`"));
                }
            }
            return Ok(Value::List);
        }
        let before = self.rest;
        let word = self.word(|found| found.is_alphanumeric() || "+-.".contains(found));
        match word {
            "true" | "on" => Ok(Value::Flag(true)),
            "false" | "off" => Ok(Value::Flag(false)),
            number if number.starts_with(|first: char| first.is_ascii_digit() || "+-".contains(first)) => {
                number.parse().map(Value::Number).map_err(|_| {
                    self.rest = before;
                    self.expected("a number")
                })
            }
            _ => {
                self.rest = before;
                Err(self.expected("a string in quotes, a number, `true` or `false`"))
            }
        }
    }

    /// Reads a string. The rest starts with its quote.
    fn string(&mut self) -> Result<String, String> {
        let begin = self.rest;
        self.rest = &self.rest[1..];
        let mut text = String::new();
        loop {
            let mut chars = self.rest.chars();
            let found = chars.next();
            self.rest = chars.as_str();
            match found {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                None => {
                    self.rest = begin;
                    return Err(self.expected("a closing quote"));
                }
                Some(other) => text.push(other),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let mut chars = self.rest.chars();
        let escaped = match chars.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(literal @ ('"' | '\\')) => literal,
            Some('u') => {
                let digits = chars.as_str().get(..4).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                let code = code.ok_or_else(|| self.expected("four hexadecimal digits after `\\u`"))?;
                chars = chars.as_str()[4..].chars();
                code
            }
            _ => return Err(self.expected("one of `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\` and `\\u`")),
        };
        self.rest = chars.as_str();
        Ok(escaped)
    }
}
