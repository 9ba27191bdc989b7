//! Events in words: what a nation did, and what followed. The subject, a nation, stands before them.

use charts::words;
use engine::content::{Board, Library};
use engine::play::{Action, Effect, Names};

use crate::games::bodies::{EventBody, EventPayload, GameSummary};
use crate::site::english::{field, paid, pieces, plural, units};

/// An event in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventText {
    /// What was done, without its subject: `build a temple in Saba for 5 marble`.
    pub done: String,
    /// What else followed, whole.
    pub follows: Vec<String>,
    /// Whether something of it brings points or ends the game.
    pub weighty: bool,
}

/// Tells the events of a game.
#[derive(Clone, Copy, Debug)]
pub struct Teller<'a>(Option<&'a Board>);

impl<'a> Teller<'a> {
    /// For the board of a game.
    pub fn of(library: &'a Library, game: &GameSummary) -> Teller<'a> {
        Teller(
            library
                .board_version(&game.board, &game.board_hash)
                .map(AsRef::as_ref),
        )
    }

    /// A region's name as it is printed on the board.
    pub fn region(self, id: &str) -> String {
        let data = self.0.and_then(|board| {
            let mut regions = board.data.regions.iter();
            regions.find(|region| region.id == id)
        });
        data.map_or_else(|| words(id), |region| region.name.clone())
    }

    /// An event in words.
    pub fn tell(self, event: &EventBody) -> EventText {
        let done = match (&event.action, &event.payload) {
            (Some(action), _) => {
                let pay = event.effects.iter().find_map(|effect| match effect {
                    Effect::Paid { pay, .. } => Some(paid(pay)),
                    _ => None,
                });
                self.action(action, &pay.unwrap_or_default())
            }
            (None, Some(payload)) => payload_in_words(payload),
            (None, None) => event.notation.clone(),
        };
        let follows = event
            .effects
            .iter()
            .filter_map(|effect| self.effect(effect, event));
        let weighty = |effect: &Effect<Names>| {
            matches!(
                effect,
                Effect::PersonageWon { .. } | Effect::GameEnded { .. } | Effect::Conquered { .. }
            )
        };
        EventText {
            done,
            follows: follows.collect(),
            weighty: event.effects.iter().any(weighty),
        }
    }

    /// An action in words, with what is paid for it behind.
    pub fn action(self, action: &Action<Names>, pay: &str) -> String {
        let at = |region: &str| self.region(region);
        match action {
            Action::MoveStone { field: to, .. } => format!("move to {}{pay}", field(*to)),
            Action::BuildTemple { region, .. } => format!("build a temple in {}{pay}", at(region)),
            Action::BuildWall { region, .. } => format!("build a town wall in {}{pay}", at(region)),
            Action::Arm {
                region, unit, free, ..
            } => {
                let free = if *free { ", Bellona’s gift" } else { "" };
                format!("set up {} in {}{pay}{free}", pieces(*unit, 1), at(region))
            }
            Action::Develop { know_how, .. } => format!("develop {}{pay}", words(know_how)),
            Action::Recruit { unit, count, .. } => {
                format!("recruit {}{pay}", pieces((*unit).into(), *count))
            }
            Action::March {
                unit,
                count,
                from,
                to,
                ..
            } => {
                format!(
                    "move {} from {} to {}",
                    pieces(*unit, *count),
                    at(from),
                    at(to)
                )
            }
            Action::Battle {
                unit,
                count,
                region,
                against,
            } => {
                let lost = pieces((*unit).into(), *count);
                format!(
                    "fight the {} in {}: {lost} lost on each side",
                    words(against),
                    at(region)
                )
            }
            Action::AnswerBattle { count: 0 } => "let them pass".to_owned(),
            Action::AnswerBattle { count } => format!("fight: {count} lost on each side"),
            Action::Conquer {
                region,
                legions,
                galleys,
                ..
            } => {
                format!("attack {} with {}", at(region), units(*legions, *galleys))
            }
            Action::Found { region, .. } => format!("found a city in {}{pay}", at(region)),
            Action::Trade { give, take } => format!("trade {give} for {take}"),
            Action::ChooseChip { resource } => {
                format!("take a chip of {} for want of coins", resource.name())
            }
            Action::ChoosePersonage { personage } => {
                format!("choose the {}", words(personage.name()))
            }
            Action::ChooseCity { region } => format!("start in {}", at(region)),
            Action::TakeCard { card } => format!("take the card {}", words(card)),
            Action::PlayCard { card, region, unit } => {
                let place = region.as_ref().map(|region| format!(" in {}", at(region)));
                let unit = unit.map(|unit| format!(" for {}", plural(unit)));
                format!(
                    "play {}{}{}",
                    words(card),
                    unit.unwrap_or_default(),
                    place.unwrap_or_default()
                )
            }
            Action::Pass => "let the conquest happen".to_owned(),
            Action::EndTurn => "end the turn".to_owned(),
            Action::Resign => "resign".to_owned(),
        }
    }

    /// What followed, where the words of the action do not tell it.
    fn effect(self, effect: &Effect<Names>, event: &EventBody) -> Option<String> {
        let at = |region: &str| self.region(region);
        let action = event.action.as_ref();
        Some(match effect {
            Effect::Produced {
                nation,
                resource,
                count,
            } => {
                format!("{} take {count} {}", words(nation), resource.name())
            }
            Effect::ChipTaken { nation, resource }
                if !matches!(action, Some(Action::ChooseChip { .. })) =>
            {
                format!("{} take a chip of {}", words(nation), resource.name())
            }
            Effect::CityChosen { nation, region }
                if !matches!(action, Some(Action::ChooseCity { .. })) =>
            {
                format!("{} start in {}", words(nation), at(region))
            }
            Effect::WallDestroyed { nation, region } => {
                format!("the wall of the {} in {} falls", words(nation), at(region))
            }
            Effect::WallReceived { nation } => format!("{} get a town wall", words(nation)),
            Effect::Developed {
                nation,
                first: true,
                ..
            } => format!("{} are the first to know it", words(nation)),
            Effect::BattleFought {
                nation,
                against,
                unit,
                count,
                region,
            } if !matches!(
                action,
                Some(Action::Battle { .. } | Action::AnswerBattle { .. })
            ) =>
            {
                let lost = pieces((*unit).into(), *count);
                format!(
                    "{} and {} lose {lost} each in {}",
                    words(nation),
                    words(against),
                    at(region)
                )
            }
            Effect::SpecialUnitFell {
                nation,
                unit,
                region,
            } => {
                format!(
                    "the {} of the {} falls in {}",
                    unit.name(),
                    words(nation),
                    at(region)
                )
            }
            Effect::CitySaved { nation, region } => {
                format!("{} keep {}", words(nation), at(region))
            }
            Effect::CityGivenUp { nation, region } => {
                format!("{} give up {}", words(nation), at(region))
            }
            Effect::Conquered {
                nation,
                from,
                region,
                ..
            } => {
                format!(
                    "{} conquer {} from the {}",
                    words(nation),
                    at(region),
                    words(from)
                )
            }
            Effect::DefendersLost {
                nation,
                region,
                legions,
                galleys,
            } if legions + galleys > 0 => {
                format!(
                    "{} lose {} in {}",
                    words(nation),
                    units(*legions, *galleys),
                    at(region)
                )
            }
            Effect::TempleDestroyed {
                owner: Some(owner),
                region,
                ..
            } => {
                format!(
                    "the temple of the {} in {} is destroyed",
                    words(owner),
                    at(region)
                )
            }
            Effect::TempleDestroyed { region, .. } => {
                format!("the temple in {} is destroyed", at(region))
            }
            Effect::BellonaPassed { nation, to } => {
                format!(
                    "the Bellona card goes from the {} to the {}",
                    words(nation),
                    words(to)
                )
            }
            Effect::PersonageWon {
                nation,
                personage,
                extra,
            } => {
                let why = if *extra { ", for all know-hows" } else { "" };
                format!("{} win a {}{why}", words(nation), words(personage.name()))
            }
            Effect::CardRevealed { card } => format!("{} lies open", words(card)),
            Effect::DeckShuffled { cards } => format!("{cards} used cards become the new deck"),
            Effect::CardTaken { nation, card }
                if !matches!(action, Some(Action::TakeCard { .. })) =>
            {
                format!("{} take {}", words(nation), words(card))
            }
            Effect::ChipsGained {
                nation,
                resource,
                count,
            } => {
                format!("{} gain {count} {}", words(nation), resource.name())
            }
            Effect::CoinsGained { nation, count } => {
                format!("{} gain coins: {count}", words(nation))
            }
            Effect::CoinsLost { nation, count } => format!("{} lose coins: {count}", words(nation)),
            Effect::RoundBegan { round } => format!("round {round} begins"),
            Effect::GameEnded { reason } => {
                format!(
                    "the game is over: {}",
                    crate::site::english::reason(*reason)
                )
            }
            _ => return None,
        })
    }
}

fn payload_in_words(payload: &EventPayload) -> String {
    match payload {
        EventPayload::Setup { .. } => "the game is set up".to_owned(),
        EventPayload::Undo { to } => format!("the game goes back to event {to}"),
        EventPayload::Seat { seat, .. } => format!("another player takes seat {seat}"),
        EventPayload::Adjudicate { reason, .. } => {
            format!(
                "the game is ended: {}",
                crate::site::english::reason(*reason)
            )
        }
        EventPayload::Abandon => "the game is given up".to_owned(),
        EventPayload::Timeout { seat, .. } => format!("the time of seat {seat} is up"),
    }
}
