//! The scopes of tokens: what each is for. `accounts/scope_check.rs` checks them.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a token may be used for.
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
    /// To see what is the account's own.
    Read,
    /// To play seats.
    Play,
    /// To create games and to do what their organizer may.
    Organize,
    /// To rename or delete the account, and to revoke its other tokens.
    Account,
    /// Everything, and in any game what its organizer may.
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

    /// The name on the wire and in the database.
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

/// The scopes of a token. The text form has their names with a space between (RFC 6749, section 3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// Whether a token with these may be used for what needs a scope.
    pub fn allow(&self, scope: Scope) -> bool {
        self.0.contains(&scope) || self.0.contains(&Scope::Admin)
    }

    /// The first of others that these do not allow.
    pub fn lack(&self, others: &Scopes) -> Option<Scope> {
        others.0.iter().copied().find(|scope| !self.allow(*scope))
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that a text names; what names none is passed over.
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
