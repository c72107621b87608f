//! Databases of migration 49, the last one that was released: later changes were written into the files of the tables.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use sqlx::migrate::MigrateError;

use crate::error::{MigrationError, Result};
use crate::release::{BASELINE, Contents, hex};
use crate::sql;

/// The migration that such a database has, and the hash of the checksums of all up to it.
const MIGRATION: i64 = 49;
const HISTORY: &str = "ec9e35f2ec3cb7e7d8b04d669e9c0c34b3cb2a183ef01fb2510614baef3f3e91";

/// The statements of a new database that create what is missing, in their new form: they do nothing if the object exists.
const STATEMENTS: [(&str, &str); 12] = [
    ("set local role", "set local role"),
    ("reset role", "reset role"),
    ("create extension if not exists", "create extension if not exists"),
    ("create function serasi.", "create or replace function serasi."),
    ("create table ", "create table if not exists "),
    ("create index ", "create index if not exists "),
    ("create unique index ", "create unique index if not exists "),
    ("insert into ", "insert into "),
    ("update ", "update "),
    ("grant ", "grant "),
    ("revoke ", "revoke "),
    ("alter default privileges", "alter default privileges"),
];

/// What makes today's tables of those of migration 49. `None` for a new database, and for one that has today's.
///
/// # Errors
/// When the database has other migrations.
pub(crate) fn sql(recorded: &BTreeMap<i64, Vec<u8>>) -> Result<Option<String>> {
    let Some(last) = recorded.keys().last().copied().filter(|last| *last < BASELINE) else {
        return Ok(None);
    };
    match last.cmp(&MIGRATION) {
        Ordering::Less => return Err(MigrationError::TooOld(last)),
        Ordering::Equal => (),
        Ordering::Greater => return Err(MigrationError::Unreleased(last)),
    }
    let mut history = Sha256::new();
    recorded.values().for_each(|checksum| history.update(checksum));
    if hex(history.finalize()) != HISTORY {
        return Err(MigrateError::VersionMismatch(MIGRATION).into());
    }
    let (before, after) = include_str!("bridge.sql").split_once("\n--------\n").unwrap_or_default();
    let files = sql::files(Contents::Marketplace, sql::TABLES);
    // Roles belong to the cluster, so their file, the first one, expects that they exist.
    let [(_, roles), tables @ ..] = files.as_slice() else { return Ok(None) };
    let missing: String = tables.iter().map(|(_, sql)| repeatable(sql) + "reset role;\n").collect();
    // Computes the new keys of rows.
    let hashes = sql::files(Contents::Marketplace, "functions");
    let hashes = hashes.iter().find(|(file, _)| file.ends_with("hashes.sql")).map_or("", |(_, sql)| sql);
    Ok(Some(format!(
        "{roles}\n{before}\n{missing}\nset local role serasi_owner;\n{hashes}\nreset role;\n{after}"
    )))
}

fn repeatable(tables: &str) -> String {
    let mut sql = String::new();
    let starts = [0].into_iter().chain(tables.match_indices('\n').map(|(end, _)| end + 1));
    for (statement, (kind, again)) in
        starts.flat_map(|start| STATEMENTS.map(|kinds| (&tables[start..], kinds)))
    {
        let Some(rest) = statement.strip_prefix(kind) else { continue };
        let end = if kind.contains("function") { "$$;" } else { ";\n" };
        let rest = rest.split(end).next().unwrap_or_default();
        sql += &match kind {
            "insert into " => format!("{again}{rest} on conflict do nothing;\n"),
            "create function serasi." => format!("{again}{rest}$$;\n"),
            _ => format!("{again}{rest};\n"),
        };
        // A table that exists lacks its storage settings.
        if let ("create table ", Some((_, settings))) = (kind, rest.rsplit_once("\n) with ")) {
            let name = rest.split(' ').next().unwrap_or_default();
            sql += &format!("alter table {name} set {settings};\n");
        }
    }
    sql
}
