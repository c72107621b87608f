use super::*;

/// Returns few bytes at a time, so that every token is split across reads.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.len().min(3).min(to.len());
        to[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn statements(dump: &str) -> anyhow::Result<Vec<String>> {
    let mut splitter = Splitter::new(Drip(dump.as_bytes()));
    let mut found = Vec::new();
    while let Some(statement) = splitter.next()? {
        found.push(statement.sql);
    }
    Ok(found)
}

#[test]
fn semicolons_within_quotes_bodies_and_comments_end_nothing() {
    for whole in [
        "select 'a;b', 'it''s; so', E'\\';\\\\', e'\\\\'",
        "select \"a;b\"\";\"",
        "create function f() as $$ begin; end; $$",
        "create function f() as $a$ $$;$b$; $a$",
        "select $1, a$b, 'x' from t$",
        "create rule r as on insert to t do (insert into a values (1); insert into b values (2))",
        "create or replace function f() begin atomic select case when a then 1 end; select 2; end",
        "create procedure p() begin atomic insert into t values (1); end",
    ] {
        assert_eq!(statements(&format!("{whole};\nselect 2;")).unwrap(), [whole, "select 2"]);
    }
    assert_eq!(
        statements("-- a; b\nselect 1 -- c;\n; /* d; /* e; */ f; */ select 2;;").unwrap(),
        ["select 1", "select 2"]
    );
}

#[test]
fn rows_are_passed_on_as_they_are() {
    let dump = "copy t (a) from stdin;\n1;\t'\n\\N\n\\.\n\nselect 1;\n";
    let mut splitter = Splitter::new(Drip(dump.as_bytes()));
    assert_eq!(splitter.next().unwrap().unwrap().sql, "copy t (a) from stdin");
    let mut rows = Vec::new();
    assert_eq!(splitter.rows(&mut rows).unwrap(), (2, true));
    assert_eq!(rows, b"1;\t'\n\\N\n");
    assert_eq!(splitter.next().unwrap().unwrap(), Statement { sql: "select 1".into(), line: 6, entry: None });
    assert!(splitter.next().unwrap().is_none());
}

#[test]
fn only_a_dump_with_its_end_is_complete() {
    let complete = |dump: &str| {
        let mut splitter = Splitter::new(dump.as_bytes());
        while splitter.next().unwrap().is_some() {}
        splitter.is_complete()
    };
    assert!(complete("select 1;\n--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc\n\n"));
    assert!(complete("select 1;\n-- PostgreSQL database dump complete"));
    assert!(complete("select 1;\n\nRESET ALL;\n"));
    assert!(!complete("select 1;\n"));
    assert!(!complete("-- PostgreSQL database dump complete\nselect 1;\n"));
}

#[test]
fn a_truncated_dump_and_commands_of_psql_are_refused() {
    for (dump, reason) in [
        ("select 1; select 'a", "within the statement at line 1"),
        ("select 1;\nselect 2", "within the statement at line 2"),
        ("\\! rm -rf /\n", "a psql command"),
        ("\\restrict a\n\\i /etc/passwd\n", "line 2 has a psql command"),
        ("select 1 \\gexec\n", "a backslash"),
        ("select '\u{0}';", "not UTF-8"),
    ] {
        let error = statements(dump).unwrap_err().to_string();
        assert!(error.contains(reason), "{dump}: {error}");
    }
    let mut splitter = Splitter::new("copy t from stdin;\n1\n2".as_bytes());
    splitter.next().unwrap();
    assert!(splitter.rows(&mut Vec::new()).unwrap_err().to_string().contains("within the rows"));
}
