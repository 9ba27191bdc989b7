//! Games between bots, from the setup to the record.

use engine::chips::Payment;
use engine::content::Library;
use engine::forms::{SetupError, digest_text};
use engine::play::Action;
use engine::setup::{Player, Setup};
use engine::state::Question;
use engine::words::Field;
use records::{RECORD_FORMAT, Record, Source};

use crate::{Host, Spec};

/// Why bots cannot play a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayError {
    /// The setup does not start a game.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A seat has no known bot.
    #[error("seat {0} is not played by a bot: name a bot as its player")]
    Seat(usize),
    /// A bot that had to act chose nothing.
    #[error("the bot {0} had to act but chose nothing")]
    Nothing(String),
    /// A bot chose an illegal action.
    #[error("the bot {bot} chose {text}, which is not legal: {source}")]
    Refused {
        /// The bot.
        bot: String,
        /// The action.
        text: String,
        /// Why it is refused.
        source: engine::play::Refusal,
    },
}

/// Plays a game whose seats all name one of [`crate::BOTS`], and returns its record.
///
/// A game without `max_rounds` may take very long.
///
/// # Errors
/// If the setup does not start a game or a seat has no bot.
pub fn play(
    library: &Library,
    setup: &Setup,
    id: &str,
    played_at: &str,
) -> Result<Record, PlayError> {
    let seats = setup.seats.iter().enumerate();
    let bots = seats.map(|(index, seat)| match &seat.player {
        Player::Bot { name } => name.parse().map_err(|_| PlayError::Seat(index)),
        _ => Err(PlayError::Seat(index)),
    });
    let bots = bots.collect::<Result<Vec<Spec>, PlayError>>()?;
    play_with(library, setup, &bots, id, played_at)
}

/// The field on which a seat begins its first turn, which its bot does not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstField {
    /// The seat, from 0.
    pub seat: u8,
    /// The field.
    pub field: Field,
}

/// Plays a game between these bots, one for each seat in order.
/// The record has the players of the setup.
///
/// # Errors
/// If the setup does not start a game, a seat has no bot, or a bot does not play legally.
pub fn play_with(
    library: &Library,
    setup: &Setup,
    bots: &[Spec],
    id: &str,
    played_at: &str,
) -> Result<Record, PlayError> {
    play_from(library, setup, bots, None, id, played_at)
}

/// Plays a game like [`play_with`], in which one seat begins on a given field.
///
/// # Errors
/// Those of [`play_with`].
pub fn play_from(
    library: &Library,
    setup: &Setup,
    bots: &[Spec],
    mut first: Option<FirstField>,
    id: &str,
    played_at: &str,
) -> Result<Record, PlayError> {
    let (game, mut state) = setup.start(library)?;
    let mut host = Host::new(&game, &state);
    for (seat, bot) in (0..).zip(bots) {
        host.seat(seat, bot);
    }
    let mut actions = Vec::new();
    let mut effects = Vec::new();
    while let Some(question) = game.question(&state) {
        let seat = usize::from(game.seat_of(question.nation()));
        let bot = bots.get(seat).ok_or(PlayError::Seat(seat))?;
        let is_turn = matches!(question, Question::Turn { .. });
        let action = match first.take_if(|first| is_turn && usize::from(first.seat) == seat) {
            Some(FirstField { field, .. }) => Some(Action::MoveStone {
                field,
                pay: Payment::NOTHING,
            }),
            None => host.choose(&state, actions.len() as u64),
        };
        let action = action.ok_or_else(|| PlayError::Nothing(bot.to_string()))?;
        let text = game.print_by(&state, question.nation(), &action);
        effects.clear();
        if let Err(source) = game.apply(&mut state, question.nation(), action, &mut effects) {
            return Err(PlayError::Refused {
                bot: bot.to_string(),
                text,
                source,
            });
        }
        actions.push(text);
    }
    Ok(Record {
        format: RECORD_FORMAT.to_owned(),
        id: id.to_owned(),
        result: game.result_body(&state),
        digest: digest_text(state.digest()),
        setup: setup.spelled_out(library)?,
        actions,
        events: None,
        played_at: played_at.to_owned(),
        source: Source::Simulation,
        rated: false,
        league: None,
        signature: None,
    })
}
