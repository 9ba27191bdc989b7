//! The parameters of OAuth requests: forms and queries in which unknown parameters are ignored.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::accounts::scope_check::OWNERS_SCOPES;
use crate::http::scope::{Scope, Scopes};
use crate::oauth::model::{OAuthError, OAuthErrorCode};

/// The parameters of a request by name. An empty value is the same as none (RFC 6749, section 3.1).
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    values: BTreeMap<String, String>,
    repeated: BTreeSet<String>,
}

impl Parameters {
    /// Reads a form or a query.
    pub fn read(text: &[u8]) -> Parameters {
        Parameters::from_pairs(form_urlencoded::parse(text).into_owned())
    }

    /// Reads names with values.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, value) in pairs {
            match parameters.values.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(value);
                }
                Entry::Occupied(place) => {
                    parameters.repeated.insert(place.key().clone());
                }
            }
        }
        parameters
    }

    /// Returns the value of a parameter; `None` if it is missing or empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.values.get(name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// Returns true if a parameter comes more than once.
    pub fn is_repeated(&self, name: &str) -> bool {
        self.repeated.contains(name)
    }

    /// Returns the values of these parameters that are present.
    pub fn pairs<'a>(&'a self, names: &'a [&'a str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = names
            .iter()
            .map(|name| self.get(name).map(|value| (*name, value)));
        pairs.flatten()
    }

    /// Checks that no parameter comes twice.
    ///
    /// # Errors
    /// `invalid_request` if one does.
    pub fn check_unique(&self) -> Result<(), OAuthError> {
        match self.repeated.first() {
            None => Ok(()),
            Some(name) => Err(OAuthError::new(
                OAuthErrorCode::InvalidRequest,
                format!("{name} is given twice: give it once"),
            )),
        }
    }

    /// Returns the value of a parameter that must be present.
    ///
    /// # Errors
    /// `invalid_request` if it is missing.
    pub fn needed(&self, name: &str) -> Result<&str, OAuthError> {
        self.get(name).ok_or_else(|| {
            let description = format!("{name} is missing");
            OAuthError::new(OAuthErrorCode::InvalidRequest, description)
        })
    }

    /// Returns the id of the app.
    ///
    /// # Errors
    /// `invalid_request` if it is missing, `invalid_client` if it is no id.
    pub fn client_id(&self) -> Result<Uuid, OAuthError> {
        let text = self.needed("client_id")?;
        text.parse().map_err(|_| OAuthError::unknown_client())
    }

    /// Returns the scopes; `None` if they are missing.
    ///
    /// # Errors
    /// `invalid_scope` if one is unknown, or is `admin`, which no app can have.
    pub fn scopes(&self) -> Result<Option<Scopes>, OAuthError> {
        let Some(text) = self.get("scope") else {
            return Ok(None);
        };
        let read = |word: &str| {
            let mut known = OWNERS_SCOPES.into_iter();
            known.find(|scope| scope.name() == word).ok_or_else(|| {
                let names = OWNERS_SCOPES.map(Scope::name).join(", ");
                let description =
                    format!("an unknown scope is requested; the scopes of apps are {names}");
                OAuthError::new(OAuthErrorCode::InvalidScope, description)
            })
        };
        let words = text.split(' ').filter(|word| !word.is_empty());
        let scopes: Scopes = words
            .map(read)
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .collect();
        Ok(Some(scopes).filter(|scopes| !scopes.is_empty()))
    }

    /// Returns the scopes, which are `read` if they are missing.
    ///
    /// # Errors
    /// Those of [`Parameters::scopes`].
    pub fn scopes_or_read(&self) -> Result<Scopes, OAuthError> {
        let scopes = self.scopes()?;
        Ok(scopes.unwrap_or_else(|| Scopes::from_iter([Scope::Read])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_parameters_are_missing_and_repeated_ones_are_found() {
        let parameters = Parameters::read(b"a=1&b=&c=x+y&a=2&d");
        assert_eq!(parameters.get("a"), Some("1"));
        assert_eq!(parameters.get("b"), None);
        assert_eq!(parameters.get("c"), Some("x y"));
        assert!(parameters.is_repeated("a") && !parameters.is_repeated("c"));
        assert!(parameters.check_unique().is_err());
        assert!(parameters.needed("d").is_err());
    }

    #[test]
    fn scopes_are_those_of_owners() {
        let scopes = |text: &str| {
            let parameters = Parameters::from_pairs([("scope".to_owned(), text.to_owned())]);
            parameters
                .scopes_or_read()
                .ok()
                .map(|scopes| scopes.to_string())
        };
        assert_eq!(scopes("play read").as_deref(), Some("read play"));
        assert_eq!(scopes("").as_deref(), Some("read"));
        assert_eq!(scopes(" ").as_deref(), Some("read"));
        assert_eq!(scopes("read admin"), None);
        assert_eq!(scopes("read everything"), None);
    }
}
