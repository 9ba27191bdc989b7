//! Where the data are, as an operator writes it, and how its password stays out of every message.

use std::fmt;

/// What stands in messages where a password was.
const HIDDEN: &str = "***";

/// A database: `sqlite:FILE` or `postgres://USER:PASSWORD@HOST/NAME`.
///
/// Whatever is written is taken; [`DatabaseUrl::place`] says what it is. [`fmt::Debug`] and
/// [`fmt::Display`] hide passwords.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

/// What a [`DatabaseUrl`] names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind<'a> {
    /// A file of SQLite.
    Sqlite(&'a str),
    /// A connection URL of PostgreSQL, with the password, if it has one: for connecting only.
    Postgres(&'a str),
}

/// A text that names no database. Nothing of the text is repeated, for it may hold a password in a
/// place where none belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseUrlError {
    /// It begins in another way.
    #[error(
        "a database is sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME; what is given is neither"
    )]
    Kind,
    /// There is a character that must be written as its percent-encoding [RFC 3986, 2.1].
    #[error(
        "the database's URL is ambiguous: within user and password write @ as %40, / as %2F and % as \
         %25, within a parameter = as %3D and & as %26"
    )]
    Ambiguous,
    /// What stands behind a host is no port.
    #[error("the database's URL has a port that is no number")]
    Port,
}

impl DatabaseUrl {
    /// What it names.
    ///
    /// A URL of PostgreSQL must be one in which the password can be in its place only, or else the
    /// client library would repeat pieces of the password as a host, a port or a parameter.
    pub fn place(&self) -> Result<DatabaseKind<'_>, DatabaseUrlError> {
        if let Some(file) = self.0.strip_prefix("sqlite:") {
            return Ok(DatabaseKind::Sqlite(file));
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
        match self.place() {
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

/// Checks what stands behind `postgres://`, read as libpq does: user and password end at the first
/// `@` before the first `/`.
fn check_postgres(text: &str) -> Result<(), DatabaseUrlError> {
    let (main, parameters) = match text.split_once('@') {
        // A password may hold a `?` as it is.
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
        // An address of IPv6 stands in brackets.
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

/// Whether two hexadecimal digits, not both 0, stand behind each `%`.
fn is_percent_encoded(text: &str) -> bool {
    text.split('%').skip(1).all(|behind| {
        let digits = behind.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit) && digits != b"00")
    })
}

/// A text with `***` in place of the passwords of the URLs (`://USER:PASSWORD@`) and of the
/// parameters (`password=…`, `sslpassword=…`) in it.
pub fn without_passwords(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    let urls_hidden: String = words.map(without_user_password).collect();
    without_parameters(&urls_hidden)
}

/// A word without what stands between the first `:` behind `://` and the last `@`: rather too much
/// is hidden than the half of a password that has an `@` or `/` in it.
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

/// A text without the values of its parameters named `…password`.
fn without_parameters(text: &str) -> String {
    const NAME: &str = "password";
    let (mut shown, mut rest) = (String::new(), text);
    // ASCII only, so that places in both texts are the same.
    while let Some(place) = rest.to_ascii_lowercase().find(NAME) {
        let (before, behind) = rest.split_at(place + NAME.len());
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

/// What stands behind a value: one in quotes, in which `\` takes away the meaning of what follows,
/// or one that ends at a space, `&` or quote.
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
    fn passwords_are_hidden_wherever_they_stand() {
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
        assert!(file.place() == Ok(DatabaseKind::Sqlite("a b@c.db")));
        assert_eq!(file.to_string(), "sqlite:a b@c.db");
        for text in [
            "postgres://me:se%40c?ret@host/db",
            "postgresql://me:secret@[::1]:5432/db?options=-csearch_path%3Dx",
            "postgres://me:secret@one:1,two:2/db",
            "postgres://me:secret@/db?host=/run/postgresql",
            "postgres://me:sec:ret@host",
            "postgres:///db",
        ] {
            let url = DatabaseUrl::from(text);
            assert!(url.place() == Ok(DatabaseKind::Postgres(text)), "{text}");
            assert!(!format!("{url} {url:?}").contains("ret"), "{url}");
        }
    }

    #[test]
    fn what_would_make_the_client_repeat_a_password_is_refused_unsaid() {
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
            assert!(url.place() == Err(fault), "{text}");
            assert_eq!(url.to_string(), HIDDEN);
        }
    }
}
