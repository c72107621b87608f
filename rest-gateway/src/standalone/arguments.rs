//! PostgREST's command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser};

#[derive(Debug, Default, PartialEq, Eq, Args)]
#[group(multiple = false)]
pub struct Command {
    /// Show the version
    #[arg(short, long)]
    pub version: bool,
    /// Show an example configuration file
    #[arg(short, long)]
    pub example: bool,
    /// Dump the loaded configuration and exit
    #[arg(long)]
    pub dump_config: bool,
    /// Dump the loaded schema cache as JSON and exit
    #[arg(long)]
    pub dump_schema: bool,
    /// Ask the admin server of a running gateway whether it is ready
    #[arg(long)]
    pub ready: bool,
}

const USAGE: &str = "postgrest [-v|--version] [-e|--example]
                 [--dump-config | --dump-schema | --ready] [FILENAME]";

/// PostgREST / create a REST API to an existing Postgres database
#[derive(Debug, PartialEq, Eq, Parser)]
#[command(name = "postgrest", override_usage = USAGE, next_help_heading = "Available options")]
pub struct Arguments {
    #[command(flatten)]
    pub command: Command,
    /// Accepted without effect: the gateway always reads the catalog
    #[arg(long, value_name = "FILE")]
    load_schema_cache: Option<PathBuf>,
    /// Path to a configuration file
    #[arg(value_name = "FILENAME")]
    pub file: Option<PathBuf>,
}

impl Arguments {
    /// `arguments` begin with the program's name. Ignores options of the Haskell runtime: `+RTS … -RTS`.
    ///
    /// # Errors
    /// Names the invalid argument, or contains the help text.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut is_for_runtime = false;
        let ours = arguments.into_iter().filter(|argument| {
            let was_for_runtime = is_for_runtime;
            is_for_runtime = argument == "+RTS" || is_for_runtime && argument != "-RTS";
            !is_for_runtime && !was_for_runtime
        });
        Self::try_parse_from(ours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::parse(["postgrest"].iter().chain(arguments).map(OsString::from))
    }

    #[test]
    fn options_and_one_file_are_accepted_in_any_order() {
        for arguments in [["--dump-config", "a.conf"], ["a.conf", "--dump-config"]] {
            let parsed = parse(&arguments).unwrap();
            assert!(parsed.command.dump_config && parsed.file == Some("a.conf".into()));
        }
        assert_eq!(parse(&[]).unwrap().command, Command::default());
        assert!(parse(&["-e"]).unwrap().command.example);
        for ignored in
            [&["+RTS", "-T", "-RTS", "-v"][..], &["-v", "+RTS", "-N"], &["--load-schema-cache", "a", "-v"]]
        {
            let parsed = parse(ignored).unwrap();
            assert!(parsed.command.version && parsed.file.is_none());
        }
        assert_eq!(parse(&["--", "--ready"]).unwrap().file, Some("--ready".into()));
    }

    #[test]
    fn other_arguments_are_errors() {
        for arguments in [&["--nothing"][..], &["a", "b"], &["--ready", "--dump-schema"], &["-x"]] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
