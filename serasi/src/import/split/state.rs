//! A statement, and the states of the splitter within it.

#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// The text without its semicolon, and without comments outside of bodies.
    pub sql: String,
    /// The line where it begins, from 1 on.
    pub line: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Code,
    LineComment,
    /// After a backslash.
    Command,
    /// In a block comment, with its nesting depth.
    BlockComment(u32),
    /// Whether a backslash escapes, and whether the last byte was one that does.
    Text {
        escapes: bool,
        escaped: bool,
    },
    /// After a quote. A second quote would continue the text.
    AfterText {
        escapes: bool,
    },
    Quoted,
    /// The beginning of a dollar quote.
    Tag(Vec<u8>),
    /// In a dollar-quoted body: the tag, and where the body begins in the statement.
    Body {
        tag: Vec<u8>,
        start: usize,
    },
}

/// `create [or replace] function` or `procedure`: its body may have semicolons.
pub fn is_function(words: &[Vec<u8>]) -> bool {
    let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    matches!(
        words.as_slice(),
        [b"create", b"function" | b"procedure", ..]
            | [b"create", b"or", b"replace", b"function" | b"procedure", ..]
    )
}
