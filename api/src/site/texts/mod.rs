//! The texts of the pages, in every language: Fluent messages in a file for each.
//!
//! - Templates receive [`Texts`] and name messages by literals. A test compares the files with each other and with the
//!   source code.
//! - Names of the game, such as nations, are messages named for their family and name, such as `nation-romans`. Names
//!   of an operator's own content have none and are shown as they are.

pub mod notices;
pub mod phrases;

use std::collections::HashMap;
use std::sync::LazyLock;

use charts::words;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

pub use crate::http::language::Language;

/// The Fluent file of a language.
pub const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("en.ftl"),
        Language::German => include_str!("de.ftl"),
    }
}

/// The messages of a language.
struct Messages {
    bundle: FluentBundle<FluentResource>,
    /// Messages without arguments, formatted.
    plain: HashMap<String, String>,
}

impl Messages {
    fn load(language: Language) -> Messages {
        let locale = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![locale]);
        // The marks that isolate arguments are only needed for text from right to left.
        bundle.set_use_isolating(false);
        // A test checks that each file can be read.
        let resource = FluentResource::try_new(source(language).to_owned());
        let resource = resource.unwrap_or_else(|(resource, _)| resource);
        let mut plain = HashMap::new();
        let ids: Vec<String> = resource.entries().filter_map(message_id).collect();
        bundle.add_resource_overriding(resource);
        for id in ids {
            let mut errors = Vec::new();
            let message = bundle.get_message(&id);
            let Some(pattern) = message.and_then(|message| message.value()) else {
                continue;
            };
            let text = bundle.format_pattern(pattern, None, &mut errors);
            if errors.is_empty() {
                plain.insert(id, text.into_owned());
            }
        }
        Messages { bundle, plain }
    }
}

/// The id of a message; none for comments.
pub fn message_id(entry: &fluent_syntax::ast::Entry<&str>) -> Option<String> {
    match entry {
        fluent_syntax::ast::Entry::Message(message) => Some(message.id.name.to_owned()),
        _ => None,
    }
}

static ENGLISH: LazyLock<Messages> = LazyLock::new(|| Messages::load(Language::English));
static GERMAN: LazyLock<Messages> = LazyLock::new(|| Messages::load(Language::German));

/// The texts in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texts(pub Language);

impl Texts {
    /// The texts of pages that are in English only.
    pub const ENGLISH: Texts = Texts(Language::English);

    fn messages(self) -> &'static Messages {
        match self.0 {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
        }
    }

    /// A message without arguments; nothing if there is none.
    pub fn find(self, id: &str) -> Option<&'static str> {
        self.messages().plain.get(id).map(String::as_str)
    }

    /// A message without arguments.
    pub fn text(self, id: &str) -> &'static str {
        let found = self.find(id);
        debug_assert!(found.is_some(), "there is no message {id:?}");
        found.unwrap_or_default()
    }

    /// A message with arguments.
    pub fn format<'a, const N: usize>(
        self,
        id: &str,
        arguments: [(&'static str, FluentValue<'a>); N],
    ) -> String {
        let bundle = &self.messages().bundle;
        let message = bundle.get_message(id);
        let Some(pattern) = message.and_then(|message| message.value()) else {
            debug_assert!(false, "there is no message {id:?}");
            return String::new();
        };
        let arguments: FluentArgs<'a> = arguments.into_iter().collect();
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&arguments), &mut errors);
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        text.into_owned()
    }

    /// The message of a family for a name of the game.
    pub fn find_name(self, family: &str, name: &str) -> Option<&'static str> {
        let name = name.replace(['_', '/'], "-");
        self.find(&format!("{family}-{name}"))
    }

    /// A name of the game. A name without a message is shown as it is.
    pub fn name(self, family: &str, name: &str) -> String {
        self.find_name(family, name)
            .map_or_else(|| words(name), str::to_owned)
    }
}
