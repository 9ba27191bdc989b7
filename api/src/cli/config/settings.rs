//! The settings of a server, derived from the options of `tabularium serve`.

use std::any::TypeId;

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Args, Command};

use crate::cli::serve::Serve;

/// The tables of the file. Their settings are the options that start with the name.
const TABLES: [&str; 2] = ["limit", "backup"];

/// The type of a setting's value in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Text.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Flag,
}

impl ValueType {
    /// The name of the type in messages.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Text => "text in quotes",
            ValueType::Number => "a whole number",
            ValueType::Flag => "true or false",
        }
    }
}

/// A setting: an option with an environment variable and a key of the file.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The option.
    pub arg: Arg,
    /// The option without the dashes.
    pub option: String,
    /// The environment variable.
    pub variable: String,
    /// The key of the file, such as `limit.reads`.
    pub key: String,
    /// The type of a value.
    pub value_type: ValueType,
    /// Whether the setting has a list of values.
    pub is_list: bool,
    /// The default values; empty if there is none.
    pub defaults: Vec<String>,
    /// The names of all permitted values; empty if others are permitted.
    pub permitted: Vec<String>,
    /// What the setting does, in one paragraph.
    pub meaning: String,
}

/// Returns all settings, in the order of the help.
pub fn settings() -> Vec<Setting> {
    let mut command = Serve::augment_args(Command::new("serve"));
    command.build();
    command.get_arguments().filter_map(setting).collect()
}

/// Returns the setting of an option.
/// `None` if the option has no variable, because then it is meant for one start only.
fn setting(arg: &Arg) -> Option<Setting> {
    let option = arg.get_long()?.to_owned();
    let variable = arg.get_env()?.to_str()?.to_owned();
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    let value_type = value_type(arg);
    let defaults = arg.get_default_values().iter();
    let defaults = defaults.flat_map(|text| {
        let text = text.to_string_lossy().into_owned();
        let delimiter = arg.get_value_delimiter().filter(|_| is_list);
        match delimiter {
            Some(delimiter) => text.split(delimiter).map(str::to_owned).collect(),
            None => vec![text],
        }
    });
    let defaults: Vec<String> = match value_type {
        ValueType::Flag if arg.get_default_values().is_empty() => vec!["false".to_owned()],
        _ => defaults.collect(),
    };
    let permitted = match value_type {
        ValueType::Text => arg.get_possible_values(),
        _ => Vec::new(),
    };
    let help = arg.get_long_help().or(arg.get_help());
    Some(Setting {
        key: key(&option),
        option,
        variable,
        value_type,
        is_list,
        defaults,
        permitted: permitted
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect(),
        meaning: one_paragraph(help),
        arg: arg.clone(),
    })
}

/// Returns the key of an option: its words joined by `_`.
/// An option whose first word is one of [`TABLES`] is in that table.
fn key(option: &str) -> String {
    let words = option.replace('-', "_");
    let in_table = TABLES.into_iter().find_map(|table| {
        let rest = words.strip_prefix(table)?.strip_prefix('_')?;
        Some(format!("{table}.{rest}"))
    });
    in_table.unwrap_or(words)
}

fn value_type(arg: &Arg) -> ValueType {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return ValueType::Flag;
    }
    let parsed = arg.get_value_parser().type_id();
    let is = |other: TypeId| parsed == other;
    let numbers = [
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
    ];
    match parsed {
        _ if numbers.into_iter().any(is) => ValueType::Number,
        _ if is(TypeId::of::<bool>()) => ValueType::Flag,
        _ => ValueType::Text,
    }
}

fn one_paragraph(help: Option<&StyledStr>) -> String {
    let text = help.map(ToString::to_string).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.ends_with('.') || text.is_empty() {
        true => text,
        false => text + ".",
    }
}

impl Setting {
    /// Returns values as they are written in the file.
    pub fn written(&self, values: &[String]) -> String {
        let one = |value: &String| match self.value_type {
            // A string of JSON is one of TOML too.
            ValueType::Text => serde_json::Value::from(value.as_str()).to_string(),
            ValueType::Number | ValueType::Flag => value.clone(),
        };
        let written: Vec<String> = values.iter().map(one).collect();
        match self.is_list {
            true => format!("[{}]", written.join(", ")),
            false => written.join(""),
        }
    }

    /// Checks values with the parser of the option. The error says what is expected.
    pub fn check(&self, values: &[String]) -> Result<(), String> {
        if self.value_type == ValueType::Flag {
            let is_flag = |value: &String| ["true", "false"].contains(&value.as_str());
            return match values.iter().all(is_flag) {
                true => Ok(()),
                false => Err("expected true or false".to_owned()),
            };
        }
        let option = |value: &String| format!("--{}={value}", self.option);
        let line = ["serve".to_owned()]
            .into_iter()
            .chain(values.iter().map(option));
        let command = Command::new("serve").arg(self.arg.clone());
        match command.try_get_matches_from(line) {
            Ok(_) => Ok(()),
            Err(_) if !self.permitted.is_empty() => {
                Err(format!("expected {}", self.permitted.join(" or ")))
            }
            Err(error) => Err(reason(&error)),
        }
    }
}

/// Returns why a value is refused, without the option.
fn reason(error: &clap::Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    source.unwrap_or_else(|| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("error: ").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(key: &str) -> Setting {
        settings()
            .into_iter()
            .find(|setting| setting.key == key)
            .unwrap_or_else(|| panic!("{key}"))
    }

    #[test]
    fn each_option_with_a_variable_is_a_setting() {
        let all = settings();
        let keys: std::collections::BTreeSet<&str> =
            all.iter().map(|setting| setting.key.as_str()).collect();
        assert_eq!(keys.len(), all.len());
        for key in ["listen", "database", "limit.reads", "backup.keep", "guests"] {
            assert!(keys.contains(key), "{key}");
        }
        assert!(!keys.contains("trust_clock"), "it is for one start");
        for setting in &all {
            assert!(!setting.meaning.is_empty(), "{}", setting.key);
            assert_eq!(setting.check(&setting.defaults), Ok(()), "{}", setting.key);
        }
    }

    #[test]
    fn values_have_the_types_of_their_options() {
        for (key, value_type, is_list, default) in [
            ("listen", ValueType::Text, false, "\"127.0.0.1:8080\""),
            ("limit.reads", ValueType::Text, false, "\"600/10\""),
            ("limit.streams", ValueType::Number, false, "10000"),
            ("backup.every", ValueType::Text, false, "\"24h\""),
            ("guests", ValueType::Flag, false, "true"),
            ("unmetered", ValueType::Flag, false, "false"),
            ("trusted_proxy", ValueType::Text, true, "[]"),
            ("log_format", ValueType::Text, false, "\"text\""),
        ] {
            let setting = find(key);
            assert_eq!(setting.value_type, value_type, "{key}");
            assert_eq!(setting.is_list, is_list, "{key}");
            assert_eq!(setting.written(&setting.defaults), default, "{key}");
        }
        let pauses = find("webhook_pauses");
        assert!(pauses.written(&pauses.defaults).starts_with("[5, 60, 300"));
    }

    #[test]
    fn a_wrong_value_is_explained() {
        for (key, value, words) in [
            ("limit.reads", "600", "QUANTITY/SECONDS"),
            ("limit.streams", "-1", "invalid digit"),
            ("trusted_proxy", "proxy.example", "10.0.0.0/8"),
            ("log_format", "xml", "text or json"),
            ("guests", "maybe", "true or false"),
            ("backup.every", "1s", "at least a minute"),
        ] {
            let error = find(key).check(&[value.to_owned()]).unwrap_err();
            assert!(error.contains(words), "{key}: {error}");
        }
    }
}
