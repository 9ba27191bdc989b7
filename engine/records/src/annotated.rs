//! Annotations of a record: comments, verdicts and variations, beside the record or in its text form.
//!
//! The text form is that of the record with the format [`ANNOTATED_FORMAT`]. An action may have a verdict, a comment in
//! braces and variations in parentheses, as in PGN:
//! `12. arabs: stone iron ?! {Too early.} (stone gold; end {Two more chips.}); found mecca; end`.
//! Without them it is the record, byte for byte, so its signature stays valid.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::str::FromStr;

use engine::content::Library;
use engine::state::State;
use serde::{Deserialize, Serialize};

use crate::text::escaped;
use crate::{RECORD_FORMAT, Record, ReplayError, TextError};

/// The format of the text form with annotations.
pub const ANNOTATED_FORMAT: &str = "tabularium-annotated/1";

/// The most notes in annotations.
pub const MOST_NOTES: usize = 500;

/// The longest comment, in bytes.
pub const LONGEST_COMMENT: usize = 1_000;

/// The most variations of a note.
pub const MOST_VARIATIONS: usize = 5;

/// The most actions of a variation.
pub const LONGEST_VARIATION: usize = 50;

/// A judgement of an action, in the signs of chess.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum ActionVerdict {
    /// Very good.
    #[serde(rename = "!!")]
    #[strum(serialize = "!!")]
    Excellent,
    /// Good.
    #[serde(rename = "!")]
    #[strum(serialize = "!")]
    Good,
    /// Interesting.
    #[serde(rename = "!?")]
    #[strum(serialize = "!?")]
    Interesting,
    /// Doubtful.
    #[serde(rename = "?!")]
    #[strum(serialize = "?!")]
    Doubtful,
    /// A mistake.
    #[serde(rename = "?")]
    #[strum(serialize = "?")]
    Mistake,
    /// A blunder.
    #[serde(rename = "??")]
    #[strum(serialize = "??")]
    Blunder,
}

impl ActionVerdict {
    /// All verdicts, the best first.
    pub const ALL: &'static [ActionVerdict] = <ActionVerdict as strum::VariantArray>::VARIANTS;

    /// The name, such as `blunder`.
    pub fn name(self) -> &'static str {
        match self {
            ActionVerdict::Excellent => "excellent",
            ActionVerdict::Good => "good",
            ActionVerdict::Interesting => "interesting",
            ActionVerdict::Doubtful => "doubtful",
            ActionVerdict::Mistake => "mistake",
            ActionVerdict::Blunder => "blunder",
        }
    }
}

/// Actions in place of those that were played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// The actions in notation, from the position before the action of the note; 1 to 50.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 50))]
    pub actions: Vec<String>,
    /// A comment on them, of 1 to 1000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(nullable = false, min_length = 1, max_length = 1000)
    )]
    pub comment: Option<String>,
}

/// A note about an action: at least one of verdict, comment and variations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The position of the action in the record's `actions`, from 0. It is not an undone action.
    pub action: usize,
    /// The verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub verdict: Option<ActionVerdict>,
    /// The comment, of 1 to 1000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(nullable = false, min_length = 1, max_length = 1000)
    )]
    pub comment: Option<String>,
    /// What could have been played, at most 5.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 5))]
    pub variations: Vec<Variation>,
}

/// The annotations of a game by one person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Annotations {
    /// A comment on the whole game, of 1 to 1000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(nullable = false, min_length = 1, max_length = 1000)
    )]
    pub comment: Option<String>,
    /// The notes, by action; at most one for each and 500 in all.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(max_items = 500))]
    pub notes: Vec<Note>,
}

/// An annotated record that was read from text.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotatedRecord {
    /// The record.
    pub record: Record,
    /// The name of the person, if the text gives one.
    pub annotator: Option<String>,
    /// The annotations.
    pub annotations: Annotations,
}

/// Annotations that do not belong to a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct AnnotationError {
    /// The field, such as `notes[3].comment`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

fn refuse(field: String, message: impl Into<String>) -> Result<(), AnnotationError> {
    let message = message.into();
    Err(AnnotationError { field, message })
}

fn check_comment(field: String, comment: Option<&String>) -> Result<(), AnnotationError> {
    match comment {
        Some(text) if text.is_empty() || text.len() > LONGEST_COMMENT => {
            refuse(field, format!("a comment has 1 to {LONGEST_COMMENT} bytes"))
        }
        Some(text) if text.contains(|letter: char| letter.is_control() && letter != '\n') => {
            refuse(field, "a comment has no control characters but line feeds")
        }
        _ => Ok(()),
    }
}

impl Annotations {
    /// True if there is nothing in them.
    pub fn is_empty(&self) -> bool {
        self.comment.is_none() && self.notes.is_empty()
    }

    /// Checks that the notes belong to actions of a record and that each variation is legal.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn check(&self, record: &Record, library: &Library) -> Result<(), AnnotationError> {
        check_comment("comment".to_owned(), self.comment.as_ref())?;
        if self.notes.len() > MOST_NOTES {
            return refuse("notes".to_owned(), format!("at most {MOST_NOTES} notes"));
        }
        let mut least = 0;
        for (index, note) in self.notes.iter().enumerate() {
            let field = |name: &str| format!("notes[{index}]{name}");
            match record.actions.get(note.action) {
                None => {
                    let message = format!("the game has {} actions", record.actions.len());
                    return refuse(field(".action"), message);
                }
                Some(undone) if undone.starts_with('-') => {
                    return refuse(field(".action"), "this action was undone");
                }
                Some(_) if note.action < least => {
                    let message = "notes are in the order of their actions, one for each";
                    return refuse(field(".action"), message);
                }
                Some(_) => least = note.action + 1,
            }
            if note.is_empty() {
                return refuse(field(""), "give a verdict, a comment or a variation");
            }
            check_comment(field(".comment"), note.comment.as_ref())?;
            if note.variations.len() > MOST_VARIATIONS {
                let message = format!("at most {MOST_VARIATIONS} variations");
                return refuse(field(".variations"), message);
            }
        }
        self.check_variations(record, library)
    }

    fn check_variations(&self, record: &Record, library: &Library) -> Result<(), AnnotationError> {
        let unplayable = |error: ReplayError| AnnotationError {
            field: "notes".to_owned(),
            message: format!("the record does not replay: {error}"),
        };
        let start = record.start(library).map_err(ReplayError::from);
        let (_, mut state) = start.map_err(unplayable)?;
        let notes = self.notes.iter().filter(|note| !note.variations.is_empty());
        let mut before: HashMap<usize, State> =
            notes.map(|note| (note.action, state.clone())).collect();
        let (game, _) = (record.replay(library, |step| {
            if let Some(kept) = before.get_mut(&step.index) {
                kept.clone_from(&state);
            }
            state.clone_from(step.state);
        }))
        .map_err(unplayable)?;
        for (index, note) in self.notes.iter().enumerate() {
            for (number, variation) in note.variations.iter().enumerate() {
                let field = |name: &str| format!("notes[{index}].variations[{number}]{name}");
                check_comment(field(".comment"), variation.comment.as_ref())?;
                if !(1..=LONGEST_VARIATION).contains(&variation.actions.len()) {
                    let message = format!("a variation has 1 to {LONGEST_VARIATION} actions");
                    return refuse(field(".actions"), message);
                }
                let Some(mut state) = before.get(&note.action).cloned() else {
                    continue;
                };
                for (place, text) in variation.actions.iter().enumerate() {
                    let field = field(&format!(".actions[{place}]"));
                    let (nation, action) = match game.read(&state, text) {
                        Ok(read) => read,
                        Err(error) => return refuse(field, error.to_string()),
                    };
                    if let Err(error) = game.apply(&mut state, nation, action, &mut Vec::new()) {
                        return refuse(field, error.to_string());
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the text form of a record with these annotations.
    ///
    /// # Errors
    /// Those of [`Record::to_text`].
    pub fn to_text(
        &self,
        record: &Record,
        annotator: &str,
        library: &Library,
    ) -> Result<String, ReplayError> {
        let plain = record.to_text(library)?;
        let mut notes = self.notes.iter().peekable();
        let (mut text, mut action) = (String::new(), 0);
        for line in plain.lines() {
            match line.split_once(": ") {
                _ if line == format_line(RECORD_FORMAT) => {
                    let _ = writeln!(text, "{}", format_line(ANNOTATED_FORMAT));
                    let _ = writeln!(text, "[Annotator \"{}\"]", escaped(annotator));
                    if let Some(comment) = &self.comment {
                        let _ = writeln!(text, "[Comment \"{}\"]", escaped(comment));
                    }
                }
                Some((turn, actions)) if !line.starts_with('[') => {
                    let _ = write!(text, "{turn}: ");
                    for (index, played) in actions.split("; ").enumerate() {
                        text.push_str(if index > 0 { "; " } else { "" });
                        text.push_str(played);
                        if let Some(note) = notes.next_if(|note| note.action == action) {
                            note.write(&mut text);
                        }
                        action += 1;
                    }
                    text.push('\n');
                }
                _ => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
        Ok(text)
    }
}

fn format_line(format: &str) -> String {
    format!("[Format \"{format}\"]")
}

/// Writes a comment in braces.
fn write_comment(text: &mut String, comment: Option<&String>) {
    let Some(comment) = comment else {
        return;
    };
    text.push_str(" {");
    for letter in comment.chars() {
        match letter {
            '\n' => text.push_str("\\n"),
            '\\' | '}' => text.extend(['\\', letter]),
            other => text.push(other),
        }
    }
    text.push('}');
}

impl fmt::Display for Variation {
    /// Writes the actions and the comment as in the text form, without parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.actions.join("; ");
        write_comment(&mut text, self.comment.as_ref());
        f.write_str(&text)
    }
}

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Variation, String> {
        read_pieces(&mut text.chars(), false).and_then(read_variation)
    }
}

impl Note {
    /// True if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.verdict.is_none() && self.comment.is_none() && self.variations.is_empty()
    }

    fn write(&self, text: &mut String) {
        if let Some(verdict) = self.verdict {
            let _ = write!(text, " {verdict}");
        }
        write_comment(text, self.comment.as_ref());
        for variation in &self.variations {
            let _ = write!(text, " ({variation})");
        }
    }
}

impl AnnotatedRecord {
    /// Parses a record with annotations from its text form. A record without any is one too.
    ///
    /// # Errors
    /// The first line that is not part of a record with annotations. It does not check that the game replays; for that
    /// use [`Annotations::check`] and [`Record::verify`].
    pub fn from_text(text: &str, library: &Library) -> Result<AnnotatedRecord, TextError> {
        let mut annotations = Annotations::default();
        let (mut annotator, mut plain, mut action) = (None, String::new(), 0);
        for (index, line) in text.lines().enumerate() {
            let at = |message: String| TextError {
                line: index + 1,
                message,
            };
            let line = line.trim();
            if line == format_line(ANNOTATED_FORMAT) {
                plain.push_str(&format_line(RECORD_FORMAT));
            } else if let Some(value) = header(line, "Annotator") {
                annotator = Some(value);
            } else if let Some(value) = header(line, "Comment") {
                annotations.comment = Some(value);
            } else if let Some((turn, rest)) =
                line.split_once(": ").filter(|_| !line.starts_with('['))
            {
                let played = read_pieces(&mut rest.chars(), false)
                    .and_then(read_actions)
                    .map_err(at)?;
                let actions: Vec<&str> = played.iter().map(|(text, _)| text.as_str()).collect();
                let _ = write!(plain, "{turn}: {}", actions.join("; "));
                for (_, note) in played {
                    let note = Note { action, ..note };
                    action += 1;
                    if !note.is_empty() {
                        annotations.notes.push(note);
                    }
                }
            } else {
                plain.push_str(line);
            }
            plain.push('\n');
        }
        Ok(AnnotatedRecord {
            record: Record::from_text_with_turns(&plain, library)?,
            annotator,
            annotations,
        })
    }
}

/// Returns the value of a header line with this name.
fn header(line: &str, name: &str) -> Option<String> {
    let value = line.strip_prefix('[')?.strip_prefix(name)?;
    let value = value.strip_prefix(" \"")?.strip_suffix("\"]")?;
    Some(unescaped(value))
}

fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

/// A piece of a line of actions.
enum Piece {
    /// An action, perhaps with a verdict.
    Action(String),
    Comment(String),
    Variation(Vec<Piece>),
}

/// Reads pieces up to the end, or up to the closing parenthesis of a variation.
fn read_pieces(
    letters: &mut std::str::Chars<'_>,
    in_variation: bool,
) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut action = String::new();
    let close = |action: &mut String, pieces: &mut Vec<Piece>| {
        let text = std::mem::take(action);
        if !text.trim().is_empty() {
            pieces.push(Piece::Action(text.trim().to_owned()));
        }
    };
    while let Some(letter) = letters.next() {
        match letter {
            ';' => close(&mut action, &mut pieces),
            '{' => {
                close(&mut action, &mut pieces);
                pieces.push(Piece::Comment(read_comment(letters)?));
            }
            '(' if in_variation => return Err("a variation has no variations".to_owned()),
            '(' => {
                close(&mut action, &mut pieces);
                pieces.push(Piece::Variation(read_pieces(letters, true)?));
            }
            ')' if in_variation => {
                close(&mut action, &mut pieces);
                return Ok(pieces);
            }
            other => action.push(other),
        }
    }
    close(&mut action, &mut pieces);
    match in_variation {
        true => Err("a variation must end with )".to_owned()),
        false => Ok(pieces),
    }
}

fn read_comment(letters: &mut std::str::Chars<'_>) -> Result<String, String> {
    let mut comment = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '}' => return Ok(unescaped(&comment)),
            '\\' => {
                comment.push(letter);
                comment.extend(letters.next());
            }
            other => comment.push(other),
        }
    }
    Err("a comment must end with } on its line".to_owned())
}

/// Returns the actions of a line, each with its note.
fn read_actions(pieces: Vec<Piece>) -> Result<Vec<(String, Note)>, String> {
    let mut actions: Vec<(String, Note)> = Vec::new();
    for piece in pieces {
        match (piece, actions.last_mut()) {
            (Piece::Action(text), _) => {
                let signed = text.rsplit_once(' ').and_then(|(action, sign)| {
                    Some((action.trim_end().to_owned(), Some(sign.parse().ok()?)))
                });
                let (action, verdict) = signed.unwrap_or((text, None));
                let note = Note {
                    verdict,
                    ..Note::default()
                };
                actions.push((action, note));
            }
            (_, None) => return Err("a comment or variation follows an action".to_owned()),
            (Piece::Comment(_), Some((_, note))) if note.comment.is_some() => {
                return Err("an action has one comment".to_owned());
            }
            (Piece::Comment(comment), Some((_, note))) => note.comment = Some(comment),
            (Piece::Variation(pieces), Some((_, note))) => {
                note.variations.push(read_variation(pieces)?);
            }
        }
    }
    Ok(actions)
}

fn read_variation(pieces: Vec<Piece>) -> Result<Variation, String> {
    let mut variation = Variation::default();
    for piece in pieces {
        match piece {
            Piece::Action(_) if variation.comment.is_some() => {
                return Err("the comment of a variation is at its end".to_owned());
            }
            Piece::Action(text) => variation.actions.push(text),
            Piece::Comment(comment) => variation.comment = Some(comment),
            Piece::Variation(_) => return Err("a variation has no variations".to_owned()),
        }
    }
    Ok(variation)
}
