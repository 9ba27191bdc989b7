//! What mails say. The pages give the words.

use crate::http::language::Language;

/// A sentence about an event, with the address of its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeLine {
    /// The sentence.
    pub sentence: String,
    /// The URL of the page.
    pub link: String,
}

/// The content of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letter {
    /// Asks to confirm the address.
    Confirmation {
        /// The handle of the account.
        handle: String,
        /// The URL that confirms it.
        link: String,
    },
    /// Contains a code that replaces a forgotten password.
    Recovery {
        /// The handle of the account.
        handle: String,
        /// The code.
        code: String,
        /// The URL of the page that accepts it.
        link: String,
    },
    /// Reports events.
    Notices {
        /// The events.
        lines: Vec<NoticeLine>,
        /// The URL of the settings.
        settings: String,
        /// The URL that ends these mails.
        unsubscribe: String,
    },
}

/// The text of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailText {
    /// The subject.
    pub subject: String,
    /// The text.
    pub body: String,
}

/// Writes a letter in a language.
pub type LetterWriter = fn(Language, &Letter) -> MailText;
