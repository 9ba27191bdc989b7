//! Sentences about events, for webhooks, mails and push messages.

use charts::titled;
use fluent_bundle::FluentValue;

use crate::games::notifications::NotificationType;
use crate::http::language::Language;
use crate::notices::letter::{Letter, MailText};
use crate::site::texts::Texts;
use crate::webhooks::content::EventContent;

/// Writes an event as a sentence. Without a name, an event of a player concerns the reader.
pub fn sentence(language: Language, event: &EventContent) -> String {
    let texts = Texts(language);
    let edition = titled(&event.edition);
    let game = match event.players.is_empty() {
        true => edition,
        false => {
            let players = texts.listed(&event.players);
            texts.format(
                "notice-game",
                [("edition", edition.into()), ("players", players.into())],
            )
        }
    };
    let game = || [("game", FluentValue::from(game.clone()))];
    let of_player = |own: &str, other: &str| match &event.name {
        None => texts.format(own, game()),
        Some(name) => {
            let [game] = game();
            texts.format(other, [game, ("name", name.as_str().into())])
        }
    };
    let tables: Vec<String> = event.tables.iter().map(u32::to_string).collect();
    let due = event.due_at.map(|at| texts.time(at)).unwrap_or_default();
    let league = || ("league", event.league.clone().unwrap_or_default().into());
    let name = || ("name", event.name.clone().unwrap_or_default().into());
    let numbers = || ("tables", texts.listed(&tables).into());
    let count = || ("count", tables.len().into());
    let of_table = |id: &str| texts.format(id, [league(), numbers()]);
    match event.kind {
        NotificationType::YourTurn => of_player("notice-turn-you", "notice-turn"),
        NotificationType::SeatLost => of_player("notice-seat-lost-you", "notice-seat-lost"),
        NotificationType::YourBid => {
            let [game] = game();
            texts.format("notice-bid", [game, ("due", due.into())])
        }
        NotificationType::UndoRequest => texts.format("notice-undo", game()),
        NotificationType::Invitation if event.league.is_some() => {
            texts.format("notice-league-invitation", [league()])
        }
        NotificationType::Invitation => texts.format("notice-invitation", game()),
        NotificationType::GameStarted => texts.format("notice-started", game()),
        NotificationType::GameFinished if event.league.is_some() => of_table("notice-table-over"),
        NotificationType::GameAbandoned if event.league.is_some() => {
            of_table("notice-table-abandoned")
        }
        NotificationType::GameFinished => texts.format("notice-finished", game()),
        NotificationType::GameAbandoned => texts.format("notice-abandoned", game()),
        NotificationType::WebhookTest => texts.text("notice-test").to_owned(),
        NotificationType::DeadlineNear if event.league.is_some() => texts.format(
            "notice-deadline-near",
            [league(), numbers(), count(), ("due", due.into())],
        ),
        NotificationType::DeadlineNear => {
            let [game] = game();
            texts.format("notice-time-near", [game, ("due", due.into())])
        }
        NotificationType::SeasonBegan => texts.format("notice-season", [league(), name()]),
        NotificationType::TablesCreated => match event.round {
            Some(round) => {
                texts.format("notice-round", [league(), count(), ("round", round.into())])
            }
            None => texts.format("notice-tables", [league(), count()]),
        },
        NotificationType::ResultEntered => of_table("notice-result"),
        NotificationType::TableAdjudicated => of_table("notice-adjudicated"),
        NotificationType::TableVoided => of_table("notice-voided"),
        NotificationType::PlayerReplaced => {
            texts.format("notice-replaced", [league(), numbers(), name()])
        }
        NotificationType::DeadlineMoved => texts.format(
            "notice-deadline-moved",
            [league(), numbers(), count(), ("due", due.into())],
        ),
        NotificationType::Joined => texts.format("notice-joined", [league(), name()]),
        NotificationType::Left => texts.format("notice-left", [league(), name()]),
    }
}

/// Writes a mail in a language.
pub fn letter(language: Language, letter: &Letter) -> MailText {
    let texts = Texts(language);
    let (subject, body) = match letter {
        Letter::Confirmation { handle, link } => (
            texts.text("mail-confirm-subject").to_owned(),
            texts.format(
                "mail-confirm",
                [("handle", handle.into()), ("link", link.into())],
            ),
        ),
        Letter::Recovery { handle, code, link } => (
            texts.text("mail-recover-subject").to_owned(),
            texts.format(
                "mail-recover",
                [
                    ("handle", handle.into()),
                    ("code", code.into()),
                    ("link", link.into()),
                ],
            ),
        ),
        Letter::Notices {
            lines,
            settings,
            unsubscribe,
        } => {
            let subject = match lines.as_slice() {
                [one] => one.sentence.clone(),
                all => texts.format("mail-daily-subject", [("count", all.len().into())]),
            };
            let lines = lines
                .iter()
                .map(|line| format!("{}\n{}\n\n", line.sentence, line.link));
            let end = texts.format(
                "mail-end",
                [
                    ("settings", settings.into()),
                    ("unsubscribe", unsubscribe.into()),
                ],
            );
            (subject, lines.collect::<String>() + &end)
        }
    };
    MailText {
        subject,
        body: body + "\n",
    }
}
