//! The languages of pages, mails and messages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language of pages, mails and messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// German.
    #[serde(rename = "de")]
    German,
}

impl Language {
    /// All languages. The first is the default.
    pub const ALL: [Language; 2] = [Language::English, Language::German];

    /// The code (BCP 47).
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The name of the language in the language itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
        }
    }

    /// The language with this code, also for a region: `de` and `de-AT` are German.
    pub fn of_code(code: &str) -> Option<Language> {
        let main = code.split('-').next().unwrap_or_default();
        let mut all = Language::ALL.into_iter();
        all.find(|language| language.code().eq_ignore_ascii_case(main))
    }
}
