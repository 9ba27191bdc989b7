//! The scopes of tokens. `accounts/scope_check.rs` checks them.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A permission of a token.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Read private data of the account: its games, tokens, leagues and webhooks.
    Read,
    /// Play the account's seats.
    Play,
    /// Create games and leagues, and act as the organizer of the account's own.
    Organize,
    /// Rename or delete the account, and revoke its other tokens.
    Account,
    /// Everything, including acting as the organizer of any game.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 5] = [
        Scope::Read,
        Scope::Play,
        Scope::Organize,
        Scope::Account,
        Scope::Admin,
    ];

    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Organize => "organize",
            Scope::Account => "account",
            Scope::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The scopes of a token. The text form is their names, separated by spaces (RFC 6749, section 3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// Whether a token with these scopes has the given one.
    pub fn allow(&self, scope: Scope) -> bool {
        self.0.contains(&scope) || self.0.contains(&Scope::Admin)
    }

    /// Returns the first of the other scopes that these do not include.
    pub fn lack(&self, others: &Scopes) -> Option<Scope> {
        others.0.iter().copied().find(|scope| !self.allow(*scope))
    }

    /// Iterates over the scopes.
    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses scopes; unknown names are skipped.
    pub(crate) fn read(text: &str) -> Scopes {
        let named = |name: &str| Scope::ALL.into_iter().find(|scope| scope.name() == name);
        text.split(' ').filter_map(named).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().collect())
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|scope| scope.name()).collect();
        f.write_str(&names.join(" "))
    }
}
