//! Names and notes that people write.
//! Names are those of guests, placeholders, tokens, leagues and seasons. Notes include descriptions.
//!
//! Texts in requests are normalized, so that two names that look the same are the same text. Invisible characters and
//! words of several scripts are refused. Handles are ASCII; two that look alike have the same skeleton (UTS 39).

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};
use serde::{Deserialize, Deserializer, de};
use unicode_security::MixedScript;

/// An empty braille pattern: invisible, although Unicode counts it as a symbol.
const BRAILLE_BLANK: char = '\u{2800}';

/// Returns the stored form of a name: NFKC, trimmed, with single spaces.
pub fn normalize(text: &str) -> Result<String, String> {
    // Checked before too, because NFKC replaces invisible spaces by simple ones.
    check_visible(text)?;
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let name = words.join(" ");
    engine::setup::check_name(&name)?;
    check_visible(&name)?;
    if words.iter().any(|word| word.starts_with(is_mark)) {
        return Err("a word begins with a combining mark, which must follow a letter".to_owned());
    }
    match words.iter().find(|word| !is_of_one_script(word)) {
        Some(word) => Err(format!(
            "{word:?} mixes letters of several scripts, which may look alike: write each word in one script"
        )),
        None => Ok(name),
    }
}

/// Returns the stored form of a note: NFKC, without spaces at the ends of lines.
/// It may have several lines.
pub fn normalize_note(text: &str) -> Result<String, String> {
    let text = text.replace("\r\n", "\n").replace('\t', " ");
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(&text);
    text.split('\n').try_for_each(check_visible)?;
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let note = lines.join("\n");
    match note.trim().is_empty() && !note.is_empty() {
        true => Err("the text is blank: write something, or omit it".to_owned()),
        false => Ok(note),
    }
}

/// Returns the form of a handle that all handles share that look like it, in any case of their letters.
pub fn handle_skeleton(handle: &str) -> String {
    let as_written: String = unicode_security::skeleton(handle).collect();
    unicode_security::skeleton(&as_written.to_lowercase()).collect()
}

fn check_visible(text: &str) -> Result<(), String> {
    match text.chars().enumerate().find(|(_, one)| !is_visible(*one)) {
        Some((index, odd)) => Err(format!(
            "character {} is U+{:04X}, which is invisible or changes the direction of text: use letters, marks, \
             digits, punctuation, symbols and simple spaces",
            index + 1,
            u32::from(odd)
        )),
        None => Ok(()),
    }
}

/// Returns true if the letters of a word belong to one script, or to Latin and an East Asian one.
fn is_of_one_script(word: &str) -> bool {
    let others: String = word
        .chars()
        .filter(|one| !one.is_ascii_alphabetic())
        .collect();
    let scripts = others.resolve_script_set();
    word.is_single_script() || scripts.hanb || scripts.jpan || scripts.kore
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

/// Deserializes and normalizes a note.
///
/// # Errors
/// Invisible characters, or a blank text.
pub fn read_note<'de, D: Deserializer<'de>>(reader: D) -> Result<String, D::Error> {
    let text = String::deserialize(reader)?;
    normalize_note(&text).map_err(de::Error::custom)
}

/// Deserializes and normalizes an optional note.
///
/// # Errors
/// Those of [`read_note`].
pub fn read_note_option<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    text.map(|text| normalize_note(&text))
        .transpose()
        .map_err(de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("Hanno", "hanno"),
            ("Hanno", "Hann0"),
            ("mago", "rnago"),
            ("MAGO", "rnago"),
            ("Ilia", "llia"),
            ("hamilcar-1", "hamilcar-l"),
        ] {
            assert_eq!(
                handle_skeleton(one),
                handle_skeleton(other),
                "{one} {other}"
            );
        }
        for (one, other) in [
            ("hanno", "hanna"),
            ("dido", "dildo"),
            ("player1", "player2"),
        ] {
            assert_ne!(
                handle_skeleton(one),
                handle_skeleton(other),
                "{one} {other}"
            );
        }
    }

    #[test]
    fn a_word_has_one_script() {
        // Cyrillic a, Greek omicron.
        for text in ["H\u{430}nno", "Hann\u{3bf}", "Cup \u{420}unic"] {
            assert!(normalize(text).is_err(), "{text:?}");
        }
        for text in [
            "\u{410}\u{43d}\u{43d}\u{430} Bell",
            "Taro\u{5c71}",
            "Mago 2",
            "Ἀννίβας!",
        ] {
            assert_eq!(normalize(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn notes_have_lines_and_no_invisible_characters() {
        let note = |text: &str| normalize_note(text);
        assert_eq!(note("a\r\nb \n\u{a0}c").as_deref(), Ok("a\nb\n c"));
        assert_eq!(note("").as_deref(), Ok(""));
        for text in ["a\u{202e}b", "\u{200b}", " \n ", "a\u{7}"] {
            assert!(note(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn names_that_look_the_same_become_equal() {
        for (text, name) in [
            ("Hanno", "Hanno"),
            ("  Hanno   II ", "Hanno II"),
            ("Die\u{301}go", "Di\u{e9}go"),
            ("\u{212b}ke", "\u{c5}ke"),
            ("\u{ff28}anno \u{2161}", "Hanno II"),
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
