//! The command line: every `serasi …` command in the documents exists, and errors are readable.

use std::fs;
use std::path::PathBuf;

use clap::Parser;
use clap::error::ErrorKind;

use crate::{Cli, chain, source};

fn documents() -> Vec<PathBuf> {
    let root = source::root().unwrap();
    let folders = ["", "docs", "db", "deploy", "rest-gateway"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    files
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// The commands of a document as arguments. Optional ones count.
fn commands(text: &str) -> impl Iterator<Item = Vec<String>> {
    // Steps are indented, and some run as the service's user.
    let lines = text.lines().map(|line| {
        line.trim_start().trim_start_matches("runuser -u serasi -- ").trim_start_matches("as_service ")
    });
    let pieces = lines.flat_map(|line| line.split(['`', '#', '|', '(', ')']));
    pieces.filter_map(|piece| {
        let after_run = piece.split_once("cargo run").and_then(|(_, rest)| rest.split_once("-- "));
        let arguments = match after_run {
            Some((options, arguments)) if !options.contains("--bin") => arguments,
            _ => piece.strip_prefix("serasi ")?,
        };
        // `--gigs N`: capital letters stand for a value.
        let is_value = |word: &str| word.chars().all(|letter| letter.is_ascii_uppercase());
        let words = arguments.split_whitespace().map(|word| word.trim_matches(['[', ']']));
        let words = words.map(|word| match word {
            "URL" => "http://localhost",
            _ if is_value(word) => "1",
            _ => word,
        });
        let words = words.map(str::to_owned);
        let words: Vec<String> =
            std::iter::once("serasi".to_owned()).chain(words.take_while(|word| word != ">")).collect();
        (!arguments.contains(['<', '…', '\\'])).then_some(words)
    })
}

#[test]
fn every_documented_command_is_understood() {
    let mut checked = 0;
    let mut unknown = Vec::new();
    for document in documents() {
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            checked += 1;
            if let Err(error) = Cli::try_parse_from(&command)
                // Prose names commands without their arguments. `--version` is no command.
                && !matches!(error.kind(), ErrorKind::MissingRequiredArgument | ErrorKind::DisplayVersion)
            {
                let reason = error.to_string().lines().next().unwrap_or_default().to_owned();
                unknown.push(format!("{}: `{}`: {reason}", document.display(), command.join(" ")));
            }
        }
    }
    assert_eq!(unknown, Vec::<String>::new());
    assert!(checked > 10, "only {checked} commands found");
}

#[test]
fn a_cause_is_not_shown_twice() {
    let error = anyhow::anyhow!("no such role").context("error: no such role").context("it failed");
    assert_eq!(chain(&error), "it failed: error: no such role");
}
