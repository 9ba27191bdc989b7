//! Who annotates which games, and what is shown.

use records::{AnnotatedRecord, AnnotationError, Annotations, Note, Record, Variation};
use uuid::Uuid;

use crate::accounts::names;
use crate::accounts::service::now;
use crate::annotations::model::{AnnotationList, GameAnnotations, NewAnnotations};
use crate::annotations::queries::StoredAnnotations;
use crate::db::time::timestamp;
use crate::games::Games;
use crate::games::model::Status;
use crate::http::call::Call;
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::Scope;

/// The most accounts that annotate a game.
const MOST_ANNOTATORS: i64 = 100;

/// Returns the annotations of a game.
pub fn list(games: &Games, id: Uuid) -> Result<AnnotationList, ServiceError> {
    let hidden = games.table(id)?.stored.texts_hidden;
    let found = games.store().annotations(id)?.into_iter();
    let items = found.map(|(stored, handle)| shown(stored, handle, hidden));
    Ok(AnnotationList {
        items: items.collect::<Result<_, ServiceError>>()?,
    })
}

/// Returns the annotations of a game by the account with an id or handle.
pub fn read(games: &Games, id: Uuid, named: &str) -> Result<GameAnnotations, ServiceError> {
    let account = games.accounts.account_named(named)?;
    let account = account.map(|account| account.id.to_string());
    let mut all = list(games, id)?.items.into_iter();
    all.find(|own| Some(&own.player) == account.as_ref())
        .ok_or_else(|| ServiceError::NotFound(format!("annotations of game {id} by {named:?}")))
}

/// Returns the record of a game with these annotations in notation.
pub fn read_text(games: &Games, id: Uuid, named: &str) -> Result<String, ServiceError> {
    games.records.check_texts_shown(id)?;
    let own = read(games, id, named)?;
    let annotations = Annotations {
        comment: own.comment,
        notes: own.notes,
    };
    let record = games.records.record(id, false)?.record;
    let text = annotations.to_text(&record, &own.handle, games.library());
    text.map_err(|error| ServiceError::damaged(id, error))
}

/// Stores the annotations of the caller's account in place of its earlier ones.
pub fn write(
    games: &Games,
    call: &Call,
    id: Uuid,
    new: NewAnnotations,
) -> Result<GameAnnotations, ServiceError> {
    let account = call.account(Scope::Play)?.account;
    if games.table(id)?.status() != Status::Finished {
        let message = "the game is not finished: it can be annotated after its end";
        return Err(ServiceError::conflict(ConflictKind::NotFinished, message));
    }
    // Nobody can change comments that are not shown.
    games.records.check_texts_shown(id)?;
    let record = games.records.record(id, false)?.record;
    let annotations = normalized(annotations(games, new, &record)?)?;
    let checked = annotations.check(&record, games.library());
    checked.map_err(|AnnotationError { field, message }| ServiceError::invalid(field, message))?;
    if annotations.is_empty() {
        let message = "write a comment or a note; DELETE removes your annotations";
        return Err(ServiceError::invalid("notes", message));
    }
    let own = StoredAnnotations {
        game: id.to_string(),
        account: account.to_string(),
        content: serde_json::to_string(&annotations)
            .map_err(|error| ServiceError::damaged(id, error))?,
        updated_at: now(),
    };
    if !games.store().set_annotations(own, MOST_ANNOTATORS)? {
        let message = format!("at most {MOST_ANNOTATORS} accounts can annotate a game");
        return Err(ServiceError::conflict(ConflictKind::LimitReached, message));
    }
    read(games, id, &account.to_string())
}

/// Deletes the annotations of the caller's account.
pub fn delete(games: &Games, call: &Call, id: Uuid) -> Result<(), ServiceError> {
    let account = call.account(Scope::Play)?.account;
    match games.store().remove_annotations(id, account)? {
        true => Ok(()),
        false => Err(ServiceError::NotFound(format!(
            "annotations of game {id} by you"
        ))),
    }
}

/// Returns the annotations of a request, which may give them with the record in notation.
fn annotations(
    games: &Games,
    new: NewAnnotations,
    record: &Record,
) -> Result<Annotations, ServiceError> {
    let NewAnnotations {
        comment,
        notes,
        text: Some(text),
    } = new
    else {
        return Ok(Annotations {
            comment: new.comment,
            notes: new.notes,
        });
    };
    if comment.is_some() || !notes.is_empty() {
        let message = "send either the text or comment and notes";
        return Err(ServiceError::invalid("text", message));
    }
    let read = AnnotatedRecord::from_text(&text, games.library());
    let read = read.map_err(|error| ServiceError::invalid("text", error))?;
    if (&read.record.id, &read.record.actions) != (&record.id, &record.actions) {
        let message = format!("the text is not of this game, but of {}", read.record.id);
        return Err(ServiceError::invalid("text", message));
    }
    Ok(read.annotations)
}

/// Normalizes the comments as all texts that people write.
fn normalized(mut annotations: Annotations) -> Result<Annotations, ServiceError> {
    let normalize = |field: String, comment: &mut Option<String>| match comment {
        None => Ok(()),
        Some(text) => match names::normalize_note(text) {
            Ok(normal) => {
                *text = normal;
                Ok(())
            }
            Err(message) => Err(ServiceError::invalid(field, message)),
        },
    };
    normalize("comment".to_owned(), &mut annotations.comment)?;
    for (index, note) in annotations.notes.iter_mut().enumerate() {
        normalize(format!("notes[{index}].comment"), &mut note.comment)?;
        for (number, variation) in note.variations.iter_mut().enumerate() {
            let field = format!("notes[{index}].variations[{number}].comment");
            normalize(field, &mut variation.comment)?;
        }
    }
    Ok(annotations)
}

/// Returns stored annotations as everyone sees them, without comments if the texts of the game are hidden.
fn shown(
    stored: StoredAnnotations,
    handle: String,
    hidden: bool,
) -> Result<GameAnnotations, ServiceError> {
    let read = serde_json::from_str(&stored.content);
    let mut annotations: Annotations = read.map_err(|error| ServiceError::Damaged {
        id: stored.game.clone(),
        message: format!("the annotations of {}: {error}", stored.account),
    })?;
    if hidden {
        annotations.comment = None;
        let notes = annotations.notes.into_iter().map(without_comments);
        annotations.notes = notes
            .filter(|note| note.verdict.is_some() || !note.variations.is_empty())
            .collect();
    }
    Ok(GameAnnotations {
        player: stored.account,
        handle,
        updated_at: timestamp(stored.updated_at),
        comment: annotations.comment,
        notes: annotations.notes,
    })
}

fn without_comments(note: Note) -> Note {
    let without = |variation: Variation| Variation {
        comment: None,
        ..variation
    };
    Note {
        comment: None,
        variations: note.variations.into_iter().map(without).collect(),
        ..note
    }
}
