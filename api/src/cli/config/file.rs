//! The configuration file, whose values become the defaults of options.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command};
use toml::{Table, Value};

use crate::cli::config::settings::{Setting, ValueType, settings};
use crate::cli::serve::Serve;

/// The file that is read if none is named and it exists.
pub const DEFAULT: &str = "/etc/tabularium/config.toml";

/// Selects the configuration file, for all commands.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ConfigOption {
    /// The configuration file in TOML; by default /etc/tabularium/config.toml, if it exists.
    /// Its values apply where neither an option nor an environment variable is given.
    #[arg(long, env = "TABULARIUM_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

impl ConfigOption {
    /// Finds the option in the arguments of the program. The file must be read before they are parsed.
    pub fn find(arguments: &[OsString]) -> ConfigOption {
        let mut named = arguments.iter().enumerate().filter_map(|(at, argument)| {
            let text = argument.to_str()?;
            match text.strip_prefix("--config") {
                Some("") => arguments.get(at + 1).map(PathBuf::from),
                Some(rest) => rest.strip_prefix('=').map(PathBuf::from),
                None => None,
            }
        });
        let variable = || std::env::var_os("TABULARIUM_CONFIG").filter(|path| !path.is_empty());
        ConfigOption {
            config: named.next().or_else(|| variable().map(PathBuf::from)),
        }
    }

    /// Returns the file to read.
    fn path(&self) -> Option<PathBuf> {
        let default = || Some(PathBuf::from(DEFAULT)).filter(|path| path.exists());
        self.config.clone().or_else(default)
    }
}

/// A configuration file that was read.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    /// Its path; `None` without a file.
    pub path: Option<PathBuf>,
    /// The values of each setting, by the key.
    pub values: BTreeMap<String, Vec<String>>,
    /// What is wrong in it, as sentences.
    pub problems: Vec<String>,
}

impl ConfigFile {
    /// Reads the file that the option names, or the default one.
    pub fn read(option: &ConfigOption) -> ConfigFile {
        let Some(path) = option.path() else {
            return ConfigFile::default();
        };
        let mut file = match std::fs::read_to_string(&path) {
            Ok(text) => ConfigFile::parse(&text),
            Err(error) => ConfigFile {
                problems: vec![format!("the file cannot be read: {error}")],
                ..ConfigFile::default()
            },
        };
        file.path = Some(path);
        file
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> ConfigFile {
        let mut file = ConfigFile::default();
        match text.parse::<Table>() {
            Ok(table) => file.add(&table, "", &settings()),
            Err(error) => {
                let at = error.span().map_or(1, |span| {
                    let before = text.get(..span.start).unwrap_or_default();
                    before.matches('\n').count() + 1
                });
                // The message would repeat the line, which may have a password.
                let message = error.message();
                file.problems
                    .push(format!("line {at}: this is not TOML: {message}"));
            }
        }
        file
    }

    fn add(&mut self, table: &Table, prefix: &str, settings: &[Setting]) {
        for (name, value) in table {
            let key = format!("{prefix}{name}");
            let is_table = |setting: &Setting| setting.key.starts_with(&format!("{key}."));
            match settings.iter().find(|setting| setting.key == key) {
                Some(setting) => match read_value(setting, value) {
                    Ok(values) => {
                        self.values.insert(key, values);
                    }
                    Err(problem) => self.problems.push(format!("{key}: {problem}")),
                },
                None => match value {
                    Value::Table(inner) if settings.iter().any(is_table) => {
                        self.add(inner, &format!("{key}."), settings);
                    }
                    _ => self.problems.push(unknown(&key, settings)),
                },
            }
        }
    }

    /// Replaces the defaults of a command's options, and of its subcommands', by the values of the file.
    pub fn apply(&self, command: Command) -> Command {
        let given: Vec<(Setting, &Vec<String>)> = settings()
            .into_iter()
            .filter_map(|setting| {
                let values = self.values.get(&setting.key)?;
                Some((setting, values))
            })
            .collect();
        apply(command, &given)
    }
}

fn apply(command: Command, given: &[(Setting, &Vec<String>)]) -> Command {
    let command = command.mut_args(|arg| {
        let same = given.iter().find(|(setting, _)| {
            arg.get_long() == Some(&setting.option) && arg.get_env() == setting.arg.get_env()
        });
        match same {
            // An empty list is the absence of values.
            // The help shows defaults, and a URL may have a password.
            Some((setting, values)) if !values.is_empty() => arg
                .default_values((*values).clone())
                .hide_default_value(["database", "mail_server"].contains(&setting.key.as_str())),
            _ => arg,
        }
    });
    command.mut_subcommands(|inner| match inner.get_name() {
        // A demo runs beside the server.
        "demo" => inner,
        _ => apply(inner, given),
    })
}

/// Returns the values of a setting, as the option expects them.
fn read_value(setting: &Setting, value: &Value) -> Result<Vec<String>, String> {
    let one = |value: &Value| match (setting.value_type, value) {
        (ValueType::Text, Value::String(text)) => Ok(text.clone()),
        (ValueType::Number, Value::Integer(number)) => Ok(number.to_string()),
        (ValueType::Flag, Value::Boolean(flag)) => Ok(flag.to_string()),
        (expected, other) => Err(format!(
            "expected {}, found {}{}",
            expected.name(),
            article(other),
            hint(setting)
        )),
    };
    let values = match value {
        Value::Array(values) if setting.is_list => values.iter().map(one).collect(),
        _ if setting.is_list => Err(format!("expected a list in [ ]{}", hint(setting))),
        value => one(value).map(|value| vec![value]),
    }?;
    // No value is repeated in the message, because it may be a password.
    setting.check(&values)?;
    Ok(values)
}

fn article(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a decimal number",
        Value::Boolean(_) => "true or false without quotes",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a table",
    }
}

/// Returns an example of a correct line, if there is a default.
fn hint(setting: &Setting) -> String {
    match setting.defaults.is_empty() {
        true => String::new(),
        false => format!(
            ", such as {} = {}",
            setting.key,
            setting.written(&setting.defaults)
        ),
    }
}

/// Describes an unknown key, with the nearest known one.
fn unknown(key: &str, settings: &[Setting]) -> String {
    // The parser of the command line suggests similar options.
    let option = format!("--{}=1", key.replace(['_', '.'], "-"));
    let command = Serve::augment_args(Command::new("serve"));
    let nearest = command
        .try_get_matches_from(["serve".to_owned(), option])
        .err()
        .and_then(|error| match error.get(ContextKind::SuggestedArg) {
            Some(ContextValue::String(option)) => Some(option.clone()),
            Some(ContextValue::Strings(options)) => options.first().cloned(),
            _ => None,
        });
    let nearest = nearest.and_then(|option| {
        let option = option.trim_start_matches("--");
        settings.iter().find(|setting| setting.option == option)
    });
    // A key in the wrong table has the words of an option.
    let words = key.replace('.', "_");
    let misplaced = || {
        let last = key.rsplit('.').next().unwrap_or(key);
        settings.iter().find(|setting| {
            setting.key.replace('.', "_") == words || setting.key.rsplit('.').next() == Some(last)
        })
    };
    match nearest.or_else(misplaced) {
        Some(setting) => format!("{key}: unknown key; the nearest is {}", setting.key),
        None => format!("{key}: unknown key; `tabularium config example` lists all"),
    }
}

/// Returns where a file would be, for messages.
pub fn shown(path: Option<&Path>) -> String {
    path.map_or_else(|| "no file".to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_their_keys() {
        let file = ConfigFile::parse(
            "listen = '0.0.0.0:80'\nguests = false\ntrusted_proxy = ['10.0.0.0/8', '::1']\n\
             [limit]\nreads = '0'\nstreams = 5\n[backup]\nfolder = '/var/backups'\n",
        );
        assert_eq!(file.problems, [""; 0]);
        assert_eq!(file.values["limit.streams"], ["5"]);
        assert_eq!(file.values["trusted_proxy"], ["10.0.0.0/8", "::1"]);
        assert_eq!(file.values["guests"], ["false"]);
    }

    #[test]
    fn everything_that_is_wrong_is_listed() {
        let file = ConfigFile::parse(
            "lisen = 'x'\nguests = 'yes'\ntrusted_proxy = '10.0.0.0/8'\nzzz = 1\nreads = '1/1'\n\
             log_format = 'xml'\ntrust_clock = true\n\
             [limit]\nstreams = '5'\nreeds = '1/1'\nreads = '600'\n[nothing]\na = 1\n",
        );
        let problems = file.problems.join("\n");
        for words in [
            "lisen: unknown key; the nearest is listen",
            "guests: expected true or false, found text, such as guests = true",
            "trusted_proxy: expected a list",
            "zzz: unknown key; `tabularium config example`",
            "reads: unknown key; the nearest is limit.reads",
            "log_format: expected text or json",
            "trust_clock: unknown key",
            "limit.streams: expected a whole number, found text",
            "limit.reeds: unknown key; the nearest is limit.reads",
            "limit.reads: a rate is QUANTITY/SECONDS",
            "nothing: unknown key",
        ] {
            assert!(problems.contains(words), "{words} is not in:\n{problems}");
        }
        assert_eq!(file.problems.len(), 11, "{problems}");
    }

    #[test]
    fn a_text_that_is_not_toml_is_refused_without_repeating_it() {
        let file = ConfigFile::parse("listen = 'a'\ndatabase = postgres://me:secret@host\n");
        let problem = &file.problems[0];
        assert!(problem.starts_with("line 2: this is not TOML"), "{problem}");
        assert!(!problem.contains("secret"), "{problem}");
    }

    #[test]
    fn an_option_precedes_the_file_and_the_file_precedes_the_default() {
        #[derive(clap::Parser)]
        struct CommandLine {
            #[command(flatten)]
            serve: Serve,
        }
        let file = ConfigFile::parse(
            "listen = '0.0.0.0:80'\nguests = false\nunmetered = true\nwebhook_pauses = [1, 2]\n\
             [limit]\nstreams = 5",
        );
        assert_eq!(file.problems, [""; 0]);
        let command = file.apply(<CommandLine as clap::CommandFactory>::command());
        let parse = |line: &[&str]| {
            let matches = command.clone().try_get_matches_from(line).unwrap();
            <CommandLine as clap::FromArgMatches>::from_arg_matches(&matches)
                .unwrap()
                .serve
        };
        let serve = parse(&["serve"]);
        assert_eq!(serve.listen, "0.0.0.0:80");
        assert!(!serve.admission.guests && serve.limits.unmetered);
        assert_eq!(serve.limits.streams, 5);
        assert_eq!(serve.limits.webhook_pauses, [1, 2]);
        let serve = parse(&["serve", "--limit-streams", "7", "--guests", "true"]);
        assert_eq!(serve.limits.streams, 7);
        assert!(serve.admission.guests);
    }
}
