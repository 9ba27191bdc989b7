//! The URL of the database, and how its password stays out of every message.

use std::fmt;

/// The text that replaces a password in messages.
const HIDDEN: &str = "***";

/// A database: `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/NAME`.
///
/// Any text is accepted here; [`DatabaseUrl::kind`] validates it. [`fmt::Debug`] and [`fmt::Display`] hide passwords.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

/// The database that a [`DatabaseUrl`] names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind<'a> {
    /// The path of a SQLite file.
    Sqlite(&'a str),
    /// A PostgreSQL connection URL. It may contain the password, so use it only for connecting.
    Postgres(&'a str),
}

/// Why a text is not a valid database URL.
/// The messages repeat nothing of the text, because it may contain a password anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// The URL has another scheme.
    #[error("the database URL is invalid: write sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME")]
    Kind,
    /// SQLite would read the text as a URI, or as a database without a file.
    #[error(
        "the database URL is invalid: write the path of a file after sqlite:, not a URI (file:) or :memory:"
    )]
    NoFile,
    /// A character is not percent-encoded where it must be [RFC 3986, 2.1].
    #[error(
        "the database URL is ambiguous: within user and password write @ as %40, / as %2F and % as \
         %25, within a parameter = as %3D and & as %26"
    )]
    Ambiguous,
    /// The port is not a number.
    #[error("the port of the database URL is not a number")]
    Port,
}

impl DatabaseUrl {
    /// Validates the URL and returns the database that it names.
    ///
    /// A PostgreSQL URL is refused if the password could be read as anything else. Otherwise the client library would
    /// repeat parts of it in messages as a host, a port or a parameter.
    pub fn kind(&self) -> Result<DatabaseKind<'_>, DatabaseUrlError> {
        if let Some(file) = self.0.strip_prefix("sqlite:") {
            return match file.is_empty() || file.starts_with(':') || file.starts_with("file:") {
                true => Err(DatabaseUrlError::NoFile),
                false => Ok(DatabaseKind::Sqlite(file)),
            };
        }
        let schemes = ["postgres://", "postgresql://"];
        let behind = schemes
            .iter()
            .find_map(|scheme| self.0.strip_prefix(scheme));
        check_postgres(behind.ok_or(DatabaseUrlError::Kind)?)?;
        Ok(DatabaseKind::Postgres(&self.0))
    }
}

impl From<String> for DatabaseUrl {
    fn from(text: String) -> DatabaseUrl {
        DatabaseUrl(text)
    }
}

impl From<&str> for DatabaseUrl {
    fn from(text: &str) -> DatabaseUrl {
        DatabaseUrl(text.to_owned())
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Ok(_) => f.write_str(&without_passwords(&self.0)),
            Err(_) => f.write_str(HIDDEN),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

/// Checks the part after `postgres://` as libpq reads it.
/// User and password end at the first `@` before the first `/`.
fn check_postgres(text: &str) -> Result<(), DatabaseUrlError> {
    let (main, parameters) = match text.split_once('@') {
        // A password may contain an unencoded `?`.
        Some((user, behind)) if !user.contains('/') => {
            let (main, parameters) = behind.split_once('?').unwrap_or((behind, ""));
            (main, parameters)
        }
        _ => text.split_once('?').unwrap_or((text, "")),
    };
    let one_value = |parameter: &str| parameter.matches('=').count() == 1;
    let parameters_are_whole = parameters.is_empty() || parameters.split('&').all(one_value);
    if main.contains('@') || !parameters_are_whole || !is_percent_encoded(text) {
        return Err(DatabaseUrlError::Ambiguous);
    }
    let hosts = main.split('/').next().unwrap_or_default();
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let has_good_port = |host: &str| {
        // An IPv6 address is in brackets.
        let behind_address = host.rsplit(']').next().unwrap_or_default();
        behind_address
            .split_once(':')
            .is_none_or(|(_, port)| is_port(port))
    };
    match hosts.split(',').all(has_good_port) {
        true => Ok(()),
        false => Err(DatabaseUrlError::Port),
    }
}

/// Returns true if each `%` is followed by two hexadecimal digits that are not both 0.
fn is_percent_encoded(text: &str) -> bool {
    text.split('%').skip(1).all(|behind| {
        let digits = behind.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit) && digits != b"00")
    })
}

/// Replaces the passwords in a text by `***`.
/// These are the passwords of URLs (`://USER:PASSWORD@`) and of parameters (`password=…`, `sslpassword=…`).
pub fn without_passwords(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    let urls_hidden: String = words.map(without_user_password).collect();
    without_parameters(&urls_hidden)
}

/// Hides everything between the first `:` after `://` and the last `@` of a word.
/// It rather hides too much than show half of a password that contains `@` or `/`.
fn without_user_password(word: &str) -> String {
    let hidden = || {
        let begin = word.find("://")? + 3;
        let end = word.rfind('@').filter(|end| *end > begin)?;
        let (user, _) = word[begin..end].split_once(':')?;
        let scheme = &word[..begin];
        Some(format!("{scheme}{user}:{HIDDEN}{}", &word[end..]))
    };
    hidden().unwrap_or_else(|| word.to_owned())
}

/// Hides the values of the parameters named `…password` in a text.
fn without_parameters(text: &str) -> String {
    const NAME: &str = "password";
    let (mut shown, mut rest) = (String::new(), text);
    // Only ASCII letters change, so offsets are the same in both texts.
    while let Some(at) = rest.to_ascii_lowercase().find(NAME) {
        let (before, behind) = rest.split_at(at + NAME.len());
        shown.push_str(before);
        rest = behind;
        let value = behind.trim_start();
        let Some(value) = value.strip_prefix('=') else {
            continue;
        };
        rest = behind_value(value.trim_start());
        shown.push('=');
        shown.push_str(HIDDEN);
    }
    shown + rest
}

/// Returns the text after a parameter's value.
/// A value is in quotes, with `\` as the escape character, or ends at a space, `&` or quote.
fn behind_value(text: &str) -> &str {
    let Some(quoted) = text.strip_prefix('\'') else {
        let ends = |c: char| c.is_whitespace() || matches!(c, '&' | '\'' | '"');
        return text.find(ends).map_or("", |end| &text[end..]);
    };
    let mut escaped = false;
    let end = quoted.find(|c| {
        let closes = c == '\'' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    end.map_or("", |end| &quoted[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hidden_in_every_position() {
        for (text, shown) in [
            ("postgres://me:secret@host/db", "postgres://me:***@host/db"),
            (
                "cannot open postgres://me:secret@host: no",
                "cannot open postgres://me:***@host: no",
            ),
            (
                "'postgres://me:se/cr@et@host/db'",
                "'postgres://me:***@host/db'",
            ),
            (
                "postgres://host/db?password=secret&a=b",
                "postgres://host/db?password=***&a=b",
            ),
            (
                "postgres://host?sslpassword=secret",
                "postgres://host?sslpassword=***",
            ),
            (
                "host=a password=secret user=b",
                "host=a password=*** user=b",
            ),
            (
                "host=a PASSWORD = 'se cr\\'et' user=b",
                "host=a PASSWORD=*** user=b",
            ),
            ("password=secret", "password=***"),
            ("password='secret", "password=***"),
            // Nothing to hide.
            ("postgres://me@host:5432/db", "postgres://me@host:5432/db"),
            ("sqlite:a@b:c.db", "sqlite:a@b:c.db"),
            (
                "password authentication failed for user \"me\"",
                "password authentication failed for user \"me\"",
            ),
            ("Straße İ password=x", "Straße İ password=***"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }

    #[test]
    fn a_url_names_its_database_and_shows_no_password() {
        let file = DatabaseUrl::from("sqlite:a b@c.db");
        assert!(file.kind() == Ok(DatabaseKind::Sqlite("a b@c.db")));
        assert_eq!(file.to_string(), "sqlite:a b@c.db");
        for text in ["sqlite:", "sqlite::memory:", "sqlite:file:a.db?mode=ro"] {
            assert!(
                DatabaseUrl::from(text).kind() == Err(DatabaseUrlError::NoFile),
                "{text}"
            );
        }
        for text in [
            "postgres://me:se%40c?ret@host/db",
            "postgresql://me:secret@[::1]:5432/db?options=-csearch_path%3Dx",
            "postgres://me:secret@one:1,two:2/db",
            "postgres://me:secret@/db?host=/run/postgresql",
            "postgres://me:sec:ret@host",
            "postgres:///db",
        ] {
            let url = DatabaseUrl::from(text);
            assert!(url.kind() == Ok(DatabaseKind::Postgres(text)), "{text}");
            assert!(!format!("{url} {url:?}").contains("ret"), "{url}");
        }
    }

    #[test]
    fn urls_that_would_expose_a_password_are_refused_without_repeating_it() {
        use DatabaseUrlError::{Ambiguous, Kind, Port};
        for (text, fault) in [
            ("", Kind),
            ("tabularium.db", Kind),
            ("sqlite", Kind),
            ("mysql://me:secret@host", Kind),
            ("host=a password=secret", Kind),
            ("postgres://me:sec@ret@host/db", Ambiguous),
            ("postgres://me:sec/ret@host/db", Ambiguous),
            ("postgres://me:sec%ret@host/db", Ambiguous),
            ("postgres://me:sec%00ret@host/db", Ambiguous),
            ("postgres://host/db?password=sec&ret", Ambiguous),
            ("postgres://host/db?password=sec=ret", Ambiguous),
            ("postgres://me:secret", Port),
            ("postgres://me:secret/db", Port),
        ] {
            let url = DatabaseUrl::from(text);
            assert!(url.kind() == Err(fault), "{text}");
            assert_eq!(url.to_string(), HIDDEN);
        }
    }
}
