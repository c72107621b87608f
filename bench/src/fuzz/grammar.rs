//! Fills the templates of `routes.txt`: `$name` is a value, and `@name` a production of `words.json`. A production that begins
//! with `~` is strange. The first production of a list ends a recursion.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngCore};
use serde_json::Value;

use super::ground::{Column, Function, Ground, Table};
use super::people::PASSWORD;
use super::request::Caller;

/// The fuzzer's dictionary. Each of the `nasty` values has broken a parser somewhere.
pub static WORDS: LazyLock<BTreeMap<String, Vec<Value>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).unwrap_or_default());
const MAX_DEPTH: u32 = 16;
/// Characters that are usually left unencoded.
const LENIENT: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'&').add(b'+').add(b'%');

/// Where a value stands, which decides how it is encoded.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Text,
    Path,
    Query,
    Json,
}

/// The choices of one request.
pub struct Draw<'a> {
    pub ground: &'a Ground,
    pub random: StdRng,
    /// How many percent of the choices are strange.
    pub odd: u32,
    pub caller: Caller,
    pub table: &'a Table,
    pub function: &'a Function,
    pub column: Rc<Column>,
    pub depth: u32,
}

pub fn as_text(word: &Value) -> String {
    word.as_str().map_or_else(|| word.to_string(), str::to_owned)
}

pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Quotes names that the gateway's grammar would cut off.
fn quoted(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_plain { name.to_owned() } else { in_quotes(name) }
}

fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Draw<'_> {
    pub fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent.clamp(1, 99), 100)
    }

    pub fn choose<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        list.choose(&mut self.random).cloned()
    }

    fn word(&mut self, list: &str) -> Option<Value> {
        self.choose(WORDS.get(list)?)
    }

    pub fn text(&mut self, list: &str) -> String {
        self.word(list).map_or_else(|| format!("no list {list}"), |word| as_text(&word))
    }

    /// Replaces the names in a template.
    pub fn fill(&mut self, template: &str, place: Place) -> String {
        let (mut text, mut rest) = (String::new(), template);
        while let Some(at) = rest.find(['$', '@']) {
            let (before, marked) = rest.split_at(at);
            let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
            let end = marked[1..].find(|letter| !is_name(letter)).map_or(marked.len(), |end| end + 1);
            let name = &marked[1..end];
            let filled =
                if marked.starts_with('@') { self.produce(name, place) } else { self.value(name, place) };
            // `$2b$04$…` is a hash.
            text = text + before + filled.as_deref().unwrap_or(&marked[..end]);
            rest = &marked[end..];
        }
        text + rest
    }

    fn produce(&mut self, name: &str, place: Place) -> Option<String> {
        match name {
            "arguments" => return Some(self.arguments(place)),
            "alike" => {
                // The gateway requires the same members in all objects.
                let object = self.fill("@object", place);
                return Some(format!("[{object},{object}]"));
            }
            "path" if !self.has_path() => return Some(String::new()),
            _ => {}
        }
        let list = WORDS.get(&format!("@{name}"))?;
        let mut chosen = if self.depth < MAX_DEPTH { self.choose(list)? } else { list.first()?.clone() };
        if as_text(&chosen).starts_with('~') && !self.chance(self.odd) {
            chosen = list.first()?.clone();
        }
        let table = self.table;
        self.depth += 1;
        let text = self.fill(as_text(&chosen).trim_start_matches('~'), place);
        self.depth -= 1;
        if name == "embed" {
            self.table = table;
        }
        Some(text)
    }

    /// Whether a path into the column follows.
    fn has_path(&mut self) -> bool {
        let percent = match self.column.kind.as_str() {
            "json" | "jsonb" => 60,
            kind if kind.starts_with('_') || kind == "address" => 20,
            _ => self.odd / 5,
        };
        self.chance(percent)
    }

    fn value(&mut self, name: &str, place: Place) -> Option<String> {
        let text = match name {
            "nasty" => self.nasty(),
            "table" | "function" => return Some(self.resource(name)),
            "column" | "primary" => {
                self.column = self.pick_column(name == "primary");
                if place == Place::Json { self.column.name.clone() } else { quoted(&self.column.name) }
            }
            "argument" => self.column.name.clone(),
            "value" if place == Place::Json => return Some(self.json()),
            "value" => self.typed(),
            "quoted" if self.chance(50) => in_quotes(&self.typed()),
            "quoted" => self.typed(),
            "relation" => self.relation(),
            "embedded" => bare(self.table.embeds.first().map_or("x", String::as_str)).to_owned(),
            "folder" => {
                let person = self.ground.person(self.caller).or(self.ground.person(Caller::Approved));
                person.map(|person| person.id.clone()).unwrap_or_default()
            }
            "known_password" => PASSWORD.to_owned(),
            // The service key uses only buckets that the run can lose.
            "bucket" if self.chance(8) => self.text("odd bucket"),
            "bucket" if self.caller == Caller::Service => self.text("own bucket"),
            "bucket" => "images".to_owned(),
            "signed" => {
                let path = self.pooled(name)?;
                return Some(if self.chance(12) { path[..path.len() / 2].to_owned() } else { path });
            }
            _ => match (self.pooled(name), self.produce(name, Place::Text)) {
                (Some(pooled), _) => pooled,
                (None, Some(text)) => text,
                (None, None) => {
                    let word = self.word(&name.replace('_', " "))?;
                    if place == Place::Json && !self.chance(self.odd) {
                        return Some(word.to_string());
                    }
                    as_text(&word)
                }
            },
        };
        Some(self.placed(text, place))
    }

    /// A value in its place. One strange member of a body reveals more than all of them.
    fn placed(&mut self, text: String, place: Place) -> String {
        match place {
            Place::Text => text,
            Place::Path => text.replace([' ', '\r', '\n', '#', '?'], "_"),
            Place::Query if self.chance(self.odd / 2) => {
                let nasty = self.nasty();
                self.encoded(&nasty)
            }
            Place::Query => self.encoded(&text),
            Place::Json if self.chance(self.odd) => self.text("odd json"),
            Place::Json => Value::String(text).to_string(),
        }
    }

    fn pooled(&mut self, name: &str) -> Option<String> {
        self.choose(self.ground.pools.get(name)?)
    }

    /// Chooses a table or function, and returns its name in a path.
    fn resource(&mut self, kind: &str) -> String {
        let ground = self.ground;
        let mut name = if kind == "table" {
            self.table = ground.tables.choose(&mut self.random).unwrap_or(self.table);
            self.table.name.clone()
        } else {
            self.function = ground.functions.choose(&mut self.random).unwrap_or(self.function);
            self.function.name.clone()
        };
        if self.chance(self.odd / 5) {
            name += &self.text("suffix");
        }
        encode(&name).replace("%5F", "_")
    }

    fn pick_column(&mut self, primary: bool) -> Rc<Column> {
        let columns = &self.table.columns;
        let known = if primary {
            columns.iter().find(|column| column.name == "id").or(columns.first()).cloned()
        } else {
            columns.choose(&mut self.random).cloned()
        };
        match known {
            Some(column) if !self.chance(self.odd / 5) => column,
            _ => Rc::new(Column { name: self.text("column"), kind: self.text("type"), pool: Vec::new() }),
        }
    }

    /// Chooses a related table, which the next columns belong to.
    fn relation(&mut self) -> String {
        let known = self.choose(&self.table.embeds).filter(|_| !self.chance(15));
        let name = known.unwrap_or_else(|| self.text("relation"));
        let is_target = |other: &&Table| other.name == bare(&name) && other.schema == self.table.schema;
        self.table = self.ground.tables.iter().find(is_target).unwrap_or(self.table);
        name
    }

    fn arguments(&mut self, place: Place) -> String {
        let mut arguments = Vec::new();
        for (name, kind) in &self.function.arguments {
            self.column = Rc::new(Column { name: name.clone(), kind: kind.clone(), pool: Vec::new() });
            if name.is_empty() && place == Place::Json {
                return self.json();
            }
            if self.chance(92) {
                let template = if place == Place::Json { "$argument:$value" } else { "$argument=$value" };
                arguments.push(self.fill(template, place));
            }
        }
        if place == Place::Json { format!("{{{}}}", arguments.join(",")) } else { arguments.join("&") }
    }

    pub fn nasty(&mut self) -> String {
        const REPEATED: &[&str] = &["a", "(", "[", "{", "\"", "1", "'", "%", "é", "\\"];
        match self.random.random_range(0..24) {
            0 => {
                let times = self.random.random_range(200..6000);
                self.choose(REPEATED).unwrap_or_default().repeat(times)
            }
            1 => self.text("nasty") + &self.text("nasty"),
            2 => self.deep(),
            _ => self.text("nasty"),
        }
    }

    /// Nested more deeply than any real value.
    fn deep(&mut self) -> String {
        const PAIRS: &[(&str, &str)] = &[("[", "]"), ("{\"a\":", "}"), ("{", "}"), ("(", ")"), ("and(", ")")];
        let (open, close) = self.choose(PAIRS).unwrap_or_default();
        let depth = self.random.random_range(10..1500);
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    }

    /// A value for the column's type, as text.
    fn typed(&mut self) -> String {
        if self.chance(self.odd) {
            return self.nasty();
        }
        let column = Rc::clone(&self.column);
        let list = match column.kind.as_str() {
            "int4" | "int8" | "int2" | "oid" => "number",
            "numeric" | "float8" | "float4" | "money" => "decimal",
            "timestamptz" | "timestamp" => "moment",
            "jsonb" => "json",
            "_text" | "_varchar" => "texts",
            "_int4" | "_int8" => "numbers",
            other => other,
        };
        let pooled = if self.chance(40) { self.choose(&column.pool) } else { None };
        let known = pooled.or_else(|| self.word(&format!("of {list}")).map(|word| as_text(&word)));
        known.unwrap_or_else(|| self.text("of text"))
    }

    /// A value of the column's type for a JSON body. Some are malformed.
    fn json(&mut self) -> String {
        const BARE: [&str; 8] = ["int4", "int8", "int2", "bool", "numeric", "float8", "json", "jsonb"];
        if self.chance(self.odd / 2) {
            return if self.chance(20) { self.deep() } else { self.text("json") };
        }
        let (is_bare, text) = (BARE.contains(&self.column.kind.as_str()), self.typed());
        if is_bare && self.chance(80) { text } else { Value::String(text).to_string() }
    }

    /// Percent-encodes a text for a query, sometimes incorrectly.
    fn encoded(&mut self, text: &str) -> String {
        match self.random.random_range(0..if self.odd > super::CALM { 40 } else { 400 }) {
            0 => text.replace(['\r', '\n', ' ', '#'], ""),
            1 => format!("{}{}", utf8_percent_encode(text, LENIENT), self.text("percent")),
            2 => encode(&encode(text)),
            3 | 4 => encode(text),
            _ => utf8_percent_encode(text, LENIENT).to_string(),
        }
    }

    /// Bytes with some changed, missing or added.
    pub fn mangle(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..self.random.random_range(1..4) {
            if bytes.is_empty() {
                return;
            }
            let at = self.random.random_range(0..bytes.len());
            match self.random.random_range(0..4) {
                0 => bytes[at] = self.random.random(),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"{}[]\",:\\\0\xff\xc3"[self.random.random_range(0..11)]),
                _ => bytes.truncate(at),
            }
        }
    }

    pub fn noise(&mut self, most: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.random.random_range(0..most)];
        self.random.fill_bytes(&mut bytes);
        bytes
    }
}

fn bare(embed: &str) -> &str {
    embed.split('!').next().unwrap_or_default()
}
