//! `tabularium config`: shows, checks and explains the configuration.

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::config::file::{ConfigFile, shown};
use crate::cli::config::problems::{faults, unsafe_settings};
use crate::cli::config::settings::{Setting, settings};
use crate::cli::serve::Serve;
use crate::db::url::{DatabaseUrl, without_passwords};

/// Show, check or explain the configuration of the server.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium config example > config.toml\n  \
    tabularium config check --config config.toml\n  \
    tabularium config show\n\n\
    An option precedes an environment variable, a variable precedes the file, and the file precedes the default.")]
pub struct ConfigCommand {
    #[command(subcommand)]
    what: ConfigAction,
}

#[derive(Debug, clap::Subcommand)]
enum ConfigAction {
    /// Print the effective value of each setting, and where it comes from. Passwords are hidden.
    Show {
        #[command(flatten)]
        serve: Box<Serve>,
    },
    /// List everything that is wrong in the file and in the environment. Exit code 1 if something is wrong.
    Check,
    /// Print a file with all settings, their meanings and their defaults.
    Example,
}

impl ConfigCommand {
    /// Prints the configuration, or what is wrong in it. `matches` are those of this command.
    pub fn run(&self, file: &ConfigFile, matches: &ArgMatches) -> anyhow::Result<()> {
        match &self.what {
            ConfigAction::Show { .. } => {
                refuse(file)?;
                let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
                print!("{}", effective(file, matches));
                Ok(())
            }
            ConfigAction::Check => check(file),
            ConfigAction::Example => {
                print!("{}", example());
                Ok(())
            }
        }
    }
}

/// Returns an error that lists what is wrong in the file, if anything is.
pub fn refuse(file: &ConfigFile) -> anyhow::Result<()> {
    if file.problems.is_empty() {
        return Ok(());
    }
    bail!(
        "the configuration file {} cannot be used:\n  {}",
        shown(file.path.as_deref()),
        file.problems.join("\n  ")
    );
}

/// Returns the lines of the effective values, each with its source.
fn effective(file: &ConfigFile, matches: &ArgMatches) -> String {
    let lines = settings().into_iter().map(|setting| {
        let id = setting.arg.get_id().as_str();
        let raw = matches.get_raw(id).into_iter().flatten();
        let values: Vec<String> = raw
            .map(|value| hidden(&setting, &value.to_string_lossy()))
            .collect();
        let source = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => format!("option --{}", setting.option),
            Some(ValueSource::EnvVariable) => format!("variable {}", setting.variable),
            _ if file.values.contains_key(&setting.key) => {
                format!("file {}", shown(file.path.as_deref()))
            }
            _ => "default".to_owned(),
        };
        match values.is_empty() && !setting.is_list {
            true => format!("# {} is not set\n", setting.key),
            false => format!(
                "{} = {}  # {source}\n",
                setting.key,
                setting.written(&values)
            ),
        }
    });
    lines.collect()
}

/// Hides the password of a value.
fn hidden(setting: &Setting, value: &str) -> String {
    match setting.key.as_str() {
        "database" => DatabaseUrl::from(value).to_string(),
        _ => without_passwords(value),
    }
}

/// Checks the file, the environment, and both together.
fn check(file: &ConfigFile) -> anyhow::Result<()> {
    let path = shown(file.path.as_deref());
    let mut problems: Vec<String> = file
        .problems
        .iter()
        .map(|problem| format!("{path}: {problem}"))
        .collect();
    for setting in settings() {
        let Ok(text) = std::env::var(&setting.variable) else {
            continue;
        };
        let values = match setting.arg.get_value_delimiter() {
            Some(delimiter) if setting.is_list => {
                text.split(delimiter).map(str::to_owned).collect()
            }
            _ => vec![text],
        };
        if let Err(problem) = setting.check(&values) {
            problems.push(format!("variable {}: {problem}", setting.variable));
        }
    }
    let mut warnings = Vec::new();
    if problems.is_empty() {
        let serve = from_environment(file)?;
        problems = faults(&serve);
        warnings = unsafe_settings(&serve);
    }
    for problem in &problems {
        println!("wrong: {}", without_passwords(problem));
    }
    for unsafe_setting in &warnings {
        println!(
            "unsafe: {}; {}",
            unsafe_setting.detail, unsafe_setting.advice
        );
    }
    match problems.len() {
        0 => {
            println!("the configuration is valid ({path})");
            Ok(())
        }
        count => bail!("the configuration has {count} faults"),
    }
}

/// Returns the options of a server that is started without options.
fn from_environment(file: &ConfigFile) -> anyhow::Result<Serve> {
    let command = file.apply(Serve::augment_args(Command::new("serve")));
    let matches = command.try_get_matches_from(["serve"])?;
    Ok(Serve::from_arg_matches(&matches)?)
}

/// Returns a file with all settings and their defaults, as comments.
pub fn example() -> String {
    let mut text = String::from(
        "# The configuration of a Tabularium server: /etc/tabularium/config.toml, or the file that --config names.\n\
         # Each setting is shown with its default. Remove the # before a name to change its value.\n\
         # An option precedes an environment variable, a variable precedes this file.\n",
    );
    // In TOML, the settings of tables follow the others.
    let mut all = settings();
    all.sort_by_key(|setting| {
        setting
            .key
            .split_once('.')
            .map(|(table, _)| table.to_owned())
    });
    let mut table = None;
    for setting in &all {
        let (own, name) = match setting.key.split_once('.') {
            Some((own, name)) => (Some(own), name),
            None => (None, setting.key.as_str()),
        };
        if own != table {
            table = own;
            text.push_str(&format!("\n[{}]\n", own.unwrap_or_default()));
        }
        let value = match setting.defaults.is_empty() {
            true => placeholder(setting),
            false => setting.written(&setting.defaults),
        };
        text.push_str(&format!(
            "\n# {}\n# Option --{}, variable {}\n#{name} = {value}\n",
            setting.meaning, setting.option, setting.variable
        ));
    }
    text
}

/// Returns a value for a setting without a default.
fn placeholder(setting: &Setting) -> String {
    let name = setting
        .arg
        .get_value_names()
        .and_then(|names| names.first());
    let name = name.map_or_else(|| "VALUE".to_owned(), ToString::to_string);
    setting.written(&[name])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Removes the comment signs before settings.
    fn uncommented(example: &str) -> String {
        let lines = example.lines().map(|line| {
            let setting = line.strip_prefix('#').filter(|rest| !rest.starts_with(' '));
            setting.unwrap_or(line).to_owned() + "\n"
        });
        lines.collect()
    }

    #[test]
    fn the_example_has_all_settings_with_their_defaults() {
        let example = example();
        assert_eq!(ConfigFile::parse(&example).problems, [""; 0]);
        assert!(ConfigFile::parse(&example).values.is_empty());
        let file = ConfigFile::parse(&uncommented(&example));
        for setting in settings()
            .iter()
            .filter(|setting| !setting.defaults.is_empty())
        {
            assert_eq!(
                file.values[&setting.key], setting.defaults,
                "{}",
                setting.key
            );
        }
        let named: Vec<&String> = file.problems.iter().collect();
        // The names in place of values of these are not addresses.
        assert!(
            named
                .iter()
                .all(|problem| ["trusted_proxy", "public_url", "trace_collector"]
                    .iter()
                    .any(|key| problem.starts_with(key))),
            "{named:?}"
        );
    }

    /// `TABULARIUM_WRITE_CONFIGURATION=1` writes the table in the documentation.
    #[test]
    fn the_documentation_has_every_setting() {
        const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md");
        const HEAD: &str = "| Option | Variable | Key of the file | Default | Meaning |\n| --- | --- | --- | --- | --- |\n";
        let rows = settings().into_iter().map(|setting| {
            let default = match setting.defaults.is_empty() {
                true => "none".to_owned(),
                false => format!("`{}`", setting.written(&setting.defaults)),
            };
            let meaning = setting.meaning.replace('|', "\\|");
            format!(
                "| `--{}` | `{}` | `{}` | {default} | {meaning} |\n",
                setting.option, setting.variable, setting.key
            )
        });
        let table = HEAD.to_owned() + &rows.collect::<String>();
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(HEAD).unwrap();
        let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
        let written = format!("{before}{table}{}", &rest[end..]);
        if std::env::var_os("TABULARIUM_WRITE_CONFIGURATION").is_some() {
            std::fs::write(PAGE, &written).unwrap();
        } else {
            assert_eq!(page, written);
        }
    }
}
