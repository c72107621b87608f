//! A statement, and the states of the splitter within it.

/// The number of bytes read of a comment. A comment on a function lists all its arguments.
pub const LONGEST_COMMENT: usize = 16 << 10;

/// The comment that pg_dump writes before the statements of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// `-` for objects without a schema.
    pub schema: String,
    pub owner: String,
}

impl Entry {
    /// `None` for other comments. The name comes first and may contain anything, so the comment is read from its end.
    pub fn parse(comment: &str) -> Option<Self> {
        let comment = comment.trim();
        if !["Name: ", "Data for Name: "].iter().any(|begin| comment.starts_with(begin)) {
            return None;
        }
        let (rest, owner) = comment.rsplit_once("; Owner: ")?;
        let (_, schema) = rest.rsplit_once("; Schema: ")?;
        let owner = owner.split_once("; Tablespace: ").map_or(owner, |(owner, _)| owner);
        Some(Self { schema: schema.to_owned(), owner: owner.to_owned() })
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// The text without its semicolon, and without comments outside of bodies.
    pub sql: String,
    /// The line where it begins, from 1 on.
    pub line: u64,
    /// The comment before it.
    pub entry: Option<Entry>,
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

/// How many blocks of a function's body are open after a word of it.
pub fn blocks_after(word: &[u8], open: u32) -> u32 {
    match word {
        b"begin" => open + 1,
        b"case" if open > 0 => open + 1,
        b"end" => open.saturating_sub(1),
        _ => open,
    }
}
