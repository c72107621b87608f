//! PostgREST's command line.

use std::ffi::OsString;
use std::path::PathBuf;

use super::version;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    Serve,
    Help,
    Version,
    Example,
    DumpConfig,
    DumpSchema,
    Ready,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Arguments {
    pub command: Command,
    /// The configuration file.
    pub file: Option<PathBuf>,
}

const OPTIONS: [(Option<&str>, &str, Command, &str); 6] = [
    (Some("-h"), "--help", Command::Help, "Show this help text"),
    (Some("-v"), "--version", Command::Version, "Show the version"),
    (Some("-e"), "--example", Command::Example, "Show an example configuration file"),
    (None, "--dump-config", Command::DumpConfig, "Dump the loaded configuration and exit"),
    (None, "--dump-schema", Command::DumpSchema, "Dump the loaded schema cache as JSON and exit"),
    (None, "--ready", Command::Ready, "Ask the admin server of a running gateway whether it is ready"),
];

/// An option of PostgREST that names a file.
const LOAD_SCHEMA_CACHE: &str = "--load-schema-cache";

impl Arguments {
    /// # Errors
    /// Names the invalid argument.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let mut parsed = Self { command: Command::Serve, file: None };
        let mut only_files = false;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if text == "+RTS" && !only_files {
                // Options of the Haskell runtime.
                arguments.by_ref().find(|argument| argument == "-RTS");
            } else if text == LOAD_SCHEMA_CACHE && !only_files {
                // The gateway always reads the catalog.
                arguments.next().ok_or_else(|| format!("The option `{text}` expects an argument."))?;
            } else if text == "--" && !only_files {
                only_files = true;
            } else if text.starts_with('-') && text.len() > 1 && !only_files {
                let option = OPTIONS.iter().find(|(short, long, ..)| *long == text || *short == Some(&*text));
                let Some((.., command, _)) = option else { return Err(format!("Invalid option `{text}'")) };
                if parsed.command != Command::Serve && parsed.command != *command {
                    return Err(format!("Invalid option `{text}'"));
                }
                parsed.command = *command;
            } else if parsed.file.is_some() {
                return Err(format!("Invalid argument `{text}'"));
            } else {
                parsed.file = Some(argument.into());
            }
        }
        Ok(parsed)
    }
}

pub fn help() -> String {
    let mut text = format!(
        "PostgREST {} / create a REST API to an existing Postgres database\n\n\
         Usage: postgrest [-v|--version] [-e|--example]\n                 \
         [--dump-config | --dump-schema | --ready] [FILENAME]\n\n\
         Available options:\n",
        version()
    );
    for (short, long, _, does) in OPTIONS {
        let names = short.map_or_else(|| long.to_owned(), |short| format!("{short},{long}"));
        text.push_str(&format!("  {names:<24} {does}\n"));
    }
    text.push_str(&format!("  {:<24} Path to a configuration file\n", "FILENAME"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, String> {
        Arguments::parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn options_and_one_file_are_accepted_in_any_order() {
        for arguments in [["--dump-config", "a.conf"], ["a.conf", "--dump-config"]] {
            let parsed = parse(&arguments).unwrap();
            assert_eq!(parsed, Arguments { command: Command::DumpConfig, file: Some("a.conf".into()) });
        }
        assert_eq!(parse(&[]).unwrap().command, Command::Serve);
        assert_eq!(parse(&["-e"]).unwrap().command, Command::Example);
        for ignored in
            [&["+RTS", "-T", "-RTS", "-v"][..], &["-v", "+RTS", "-N"], &["--load-schema-cache", "a", "-v"]]
        {
            assert_eq!(parse(ignored).unwrap(), Arguments { command: Command::Version, file: None });
        }
        assert_eq!(parse(&["--", "--ready"]).unwrap().file, Some("--ready".into()));
    }

    #[test]
    fn other_arguments_are_errors() {
        for arguments in [&["--nothing"][..], &["a", "b"], &["--ready", "--dump-schema"], &["-x"]] {
            assert!(parse(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn the_help_text_names_all_options() {
        let help = help();
        for (_, long, ..) in OPTIONS {
            assert!(help.contains(long), "{help}");
        }
    }
}
