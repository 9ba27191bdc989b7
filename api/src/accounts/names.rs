//! Names that people choose: of guests, placeholders, tokens, leagues and seasons.
//!
//! Names in requests are normalized, so that two names that look the same are the same text. Invisible names are
//! refused.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};
use serde::{Deserialize, Deserializer, de};

/// An empty braille pattern: invisible, although Unicode counts it as a symbol.
const BRAILLE_BLANK: char = '\u{2800}';

/// Returns the stored form of a name: NFC, trimmed, with single spaces.
pub fn normalize(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let name = ComposingNormalizerBorrowed::new_nfc().normalize(&text);
    engine::setup::check_name(&name)?;
    if let Some((index, odd)) = name.chars().enumerate().find(|(_, one)| !is_visible(*one)) {
        return Err(format!(
            "character {} is U+{:04X}, which is invisible or changes the direction of text: use letters, marks, \
             digits, punctuation, symbols and simple spaces",
            index + 1,
            u32::from(odd)
        ));
    }
    match name.chars().next().is_some_and(is_mark) {
        true => Err("the name begins with a combining mark, which must follow a letter".to_owned()),
        false => Ok(name.into_owned()),
    }
}

fn is_visible(one: char) -> bool {
    let invisible = GeneralCategoryGroup::Other.union(GeneralCategoryGroup::Separator);
    one == ' '
        || (!invisible.contains(CodePointMapData::<GeneralCategory>::new().get(one))
            && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(one)
            && one != BRAILLE_BLANK)
}

fn is_mark(one: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(one))
}

/// Deserializes and normalizes a name.
///
/// # Errors
/// Those of [`normalize`].
pub fn read<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    let text = String::deserialize(reader)?;
    normalize(&text).map_err(de::Error::custom)
}

/// Deserializes and normalizes an optional name.
///
/// # Errors
/// Those of [`normalize`].
pub fn read_option<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    text.map(|text| normalize(&text))
        .transpose()
        .map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_become_equal() {
        for (text, name) in [
            ("Hanno", "Hanno"),
            ("  Hanno   II ", "Hanno II"),
            ("Die\u{301}go", "Di\u{e9}go"),
            ("\u{212b}ke", "\u{c5}ke"),
            ("Ἀννίβας", "Ἀννίβας"),
            ("山田 太郎", "山田 太郎"),
            ("حنبعل", "حنبعل"),
            ("O'Neill-3 (★)", "O'Neill-3 (★)"),
        ] {
            assert_eq!(normalize(text).as_deref(), Ok(name), "{text:?}");
        }
    }

    #[test]
    fn invisible_names_are_refused() {
        for invisible in [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{180e}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{e0041}',
            '\u{a0}',
            '\u{2003}',
            '\u{2028}',
            '\u{3000}',
            '\u{e000}',
            '\u{fffe}',
            '\u{85}',
        ] {
            for text in [format!("Han{invisible}no"), invisible.to_string()] {
                assert!(normalize(&text).is_err(), "{text:?}");
            }
        }
        for text in ["", "   ", "\u{301}", "\u{20dd}x", &"x".repeat(65)] {
            assert!(normalize(text).is_err(), "{text:?}");
        }
        let refused = normalize("ab\u{200b}").unwrap_err();
        assert!(refused.starts_with("character 3 is U+200B"), "{refused}");
    }
}
