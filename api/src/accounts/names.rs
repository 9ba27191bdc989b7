//! Names that people choose: of guests, placeholders, tokens, leagues and seasons. What is read of a request is put
//! into one form, so that two names that look the same are the same text, and names that cannot be seen are refused.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};
use serde::{Deserialize, Deserializer, de};

/// A space that Unicode counts as a symbol.
const BRAILLE_BLANK: char = '\u{2800}';

/// A name as it is stored: in normalization form C, without spaces around it and with single ones in it.
pub fn normalized(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let name = ComposingNormalizerBorrowed::new_nfc().normalize(&text);
    engine::setup::check_name(&name)?;
    if let Some((index, odd)) = name.chars().enumerate().find(|(_, one)| !is_visible(*one)) {
        return Err(format!(
            "character {} is U+{:04X}, which is invisible or changes the direction of text: names have letters, marks, \
             digits, punctuation, symbols and simple spaces",
            index + 1,
            u32::from(odd)
        ));
    }
    match name.chars().next().is_some_and(is_mark) {
        true => Err("a name cannot begin with a mark, which belongs to a letter".to_owned()),
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

/// Reads a name of a request.
///
/// # Errors
/// Those of [`normalized`].
pub fn read<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    let text = String::deserialize(reader)?;
    normalized(&text).map_err(de::Error::custom)
}

/// Reads a name of a request that may be left out.
///
/// # Errors
/// Those of [`normalized`].
pub fn read_option<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    text.map(|text| normalized(&text))
        .transpose()
        .map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_the_same() {
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
            assert_eq!(normalized(text).as_deref(), Ok(name), "{text:?}");
        }
    }

    #[test]
    fn names_that_cannot_be_seen_are_refused() {
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
                assert!(normalized(&text).is_err(), "{text:?}");
            }
        }
        for text in ["", "   ", "\u{301}", "\u{20dd}x", &"x".repeat(65)] {
            assert!(normalized(text).is_err(), "{text:?}");
        }
        let refused = normalized("ab\u{200b}").unwrap_err();
        assert!(refused.starts_with("character 3 is U+200B"), "{refused}");
    }
}
