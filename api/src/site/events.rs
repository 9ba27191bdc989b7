//! Events in words: what a nation did, and what followed. The name of the nation comes before them.

use charts::words;
use engine::content::{Board, Library};
use engine::play::{Action, Effect, Names};

use crate::games::bodies::{EventBody, EventPayload, GameSummary};
use crate::site::texts::Texts;

/// An event in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventText {
    /// What was done, without its subject: `build a temple in Saba for 5 marble`.
    pub done: String,
    /// What else followed, as whole sentences.
    pub follows: Vec<String>,
    /// Whether any part of it brings points or ends the game.
    pub important: bool,
}

/// Describes the events of a game.
#[derive(Clone, Copy, Debug)]
pub struct EventTexts<'a> {
    texts: Texts,
    board: Option<&'a Board>,
}

impl<'a> EventTexts<'a> {
    /// For the board of a game.
    pub fn of(texts: Texts, library: &'a Library, game: &GameSummary) -> EventTexts<'a> {
        let board = library.board_version(&game.board, &game.board_hash);
        EventTexts {
            texts,
            board: board.map(AsRef::as_ref),
        }
    }

    /// The language of the descriptions.
    pub fn texts(self) -> Texts {
        self.texts
    }

    /// The name of a region as printed on the board.
    pub fn region(self, id: &str) -> String {
        let data = self.board.and_then(|board| {
            let mut regions = board.data.regions.iter();
            regions.find(|region| region.id == id)
        });
        data.map_or_else(|| words(id), |region| region.name.clone())
    }

    /// An event in words.
    pub fn describe(self, event: &EventBody) -> EventText {
        let done = match (&event.action, &event.payload) {
            (Some(action), _) => {
                let pay = event.effects.iter().find_map(|effect| match effect {
                    Effect::Paid { pay, .. } => Some(self.texts.paid(pay)),
                    _ => None,
                });
                self.action(action, &pay.unwrap_or_default())
            }
            (None, Some(payload)) => self.payload(payload),
            (None, None) => event.notation.clone(),
        };
        let follows = event
            .effects
            .iter()
            .filter_map(|effect| self.effect(effect, event));
        let important = |effect: &Effect<Names>| {
            matches!(
                effect,
                Effect::PersonageWon { .. } | Effect::GameEnded { .. } | Effect::Conquered { .. }
            )
        };
        EventText {
            done,
            follows: follows.collect(),
            important: event.effects.iter().any(important),
        }
    }

    /// An action in words. `paid` is the end of its description.
    pub fn action(self, action: &Action<Names>, paid: &str) -> String {
        let texts = self.texts;
        let at = |id: &str| ("region", self.region(id).into());
        let paid = ("paid", paid.into());
        match action {
            Action::MoveStone { field, .. } => {
                let field = ("field", texts.field(*field).into());
                texts.format("action-move-stone", [field, paid])
            }
            Action::BuildTemple { region, .. } => {
                texts.format("action-build-temple", [at(region), paid])
            }
            Action::BuildWall { region, .. } => {
                texts.format("action-build-wall", [at(region), paid])
            }
            Action::Arm {
                region, unit, free, ..
            } => {
                let unit = ("unit", texts.pieces(*unit, 1).into());
                match free {
                    true => texts.format("action-arm-free", [unit, at(region), paid]),
                    false => texts.format("action-arm", [unit, at(region), paid]),
                }
            }
            Action::Develop { know_how, .. } => {
                let know_how = ("knowhow", texts.know_how(know_how).into());
                texts.format("action-develop", [know_how, paid])
            }
            Action::Recruit { unit, count, .. } => {
                let units = ("units", texts.pieces((*unit).into(), *count).into());
                texts.format("action-recruit", [units, paid])
            }
            Action::March {
                unit,
                count,
                from,
                to,
                left,
            } => {
                let units = ("units", texts.pieces(*unit, *count).into());
                let from = ("from", self.region(from).into());
                let to = ("to", self.region(to).into());
                match left {
                    None => texts.format("action-march", [units, from, to]),
                    Some(left) => {
                        let left = ("left", (*left).into());
                        texts.format("action-march-left", [units, from, to, left])
                    }
                }
            }
            Action::Battle {
                unit,
                count,
                region,
                against,
            } => {
                let lost = ("lost", texts.pieces((*unit).into(), *count).into());
                let against = ("against", texts.nation(against).into());
                texts.format("action-battle", [against, at(region), lost])
            }
            Action::AnswerBattle { count: 0 } => texts.text("action-let-pass").to_owned(),
            Action::AnswerBattle { count } => {
                texts.format("action-answer-battle", [("count", (*count).into())])
            }
            Action::Conquer {
                region,
                legions,
                galleys,
                ..
            } => {
                let units = ("units", texts.units(*legions, *galleys).into());
                texts.format("action-conquer", [at(region), units])
            }
            Action::Found { region, .. } => texts.format("action-found", [at(region), paid]),
            Action::Trade { give, take } => {
                let give = ("give", texts.payment(give).into());
                let take = ("take", texts.gain(take).into());
                texts.format("action-trade", [give, take])
            }
            Action::ChooseChip { resource } => {
                let chip = ("chip", texts.chip(*resource).into());
                texts.format("action-choose-chip", [chip])
            }
            Action::ChoosePersonage { personage } => {
                let personage = ("personage", texts.personage(*personage).into());
                texts.format("action-choose-personage", [personage])
            }
            Action::ChooseCity { region } => texts.format("action-choose-city", [at(region)]),
            Action::TakeCard { card } => {
                texts.format("action-take-card", [("card", texts.card(card).into())])
            }
            Action::PlayCard { card, region, unit } => {
                let card = ("card", texts.card(card).into());
                let region = region.as_ref().map(|region| at(region));
                let units = unit.map(|unit| ("units", texts.kind_of_units(unit).into()));
                match (units, region) {
                    (None, None) => texts.format("action-play-card", [card]),
                    (Some(units), None) => texts.format("action-play-card-unit", [card, units]),
                    (None, Some(region)) => texts.format("action-play-card-region", [card, region]),
                    (Some(units), Some(region)) => {
                        texts.format("action-play-card-unit-region", [card, units, region])
                    }
                }
            }
            Action::Pass => texts.text("action-pass").to_owned(),
            Action::EndTurn => texts.text("action-end-turn").to_owned(),
            Action::Resign => texts.text("action-resign").to_owned(),
        }
    }

    /// What followed, where the description of the action does not say it.
    fn effect(self, effect: &Effect<Names>, event: &EventBody) -> Option<String> {
        let texts = self.texts;
        let at = |id: &str| ("region", self.region(id).into());
        let of = |name: &str| ("nation", texts.nation(name).into());
        let action = event.action.as_ref();
        Some(match effect {
            Effect::Produced {
                nation,
                resource,
                count,
            } => {
                let chips = ("chips", texts.chips(*resource, *count).into());
                texts.format("effect-produced", [of(nation), chips])
            }
            Effect::ChipTaken { nation, resource }
                if !matches!(action, Some(Action::ChooseChip { .. })) =>
            {
                let chip = ("chip", texts.chip(*resource).into());
                texts.format("effect-chip-taken", [of(nation), chip])
            }
            Effect::CityChosen { nation, region }
                if !matches!(action, Some(Action::ChooseCity { .. })) =>
            {
                texts.format("effect-city-chosen", [of(nation), at(region)])
            }
            Effect::WallDestroyed { nation, region } => {
                texts.format("effect-wall-destroyed", [of(nation), at(region)])
            }
            Effect::WallReceived { nation } => texts.format("effect-wall-received", [of(nation)]),
            Effect::Developed {
                nation,
                first: true,
                ..
            } => texts.format("effect-developed-first", [of(nation)]),
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
                let lost = ("lost", texts.pieces((*unit).into(), *count).into());
                let against = ("against", texts.nation(against).into());
                let arguments = [of(nation), against, lost, at(region)];
                texts.format("effect-battle-fought", arguments)
            }
            Effect::SpecialUnitFell {
                nation,
                unit,
                region,
            } => texts.special_unit_fell(*unit, &texts.nation(nation), &self.region(region)),
            Effect::CitySaved { nation, region } => {
                texts.format("effect-city-saved", [of(nation), at(region)])
            }
            Effect::CityGivenUp { nation, region } => {
                texts.format("effect-city-given-up", [of(nation), at(region)])
            }
            Effect::Conquered {
                nation,
                from,
                region,
                ..
            } => {
                let from = ("from", texts.nation(from).into());
                texts.format("effect-conquered", [of(nation), at(region), from])
            }
            Effect::DefendersLost {
                nation,
                region,
                legions,
                galleys,
            } if legions + galleys > 0 => {
                let units = ("units", texts.units(*legions, *galleys).into());
                texts.format("effect-defenders-lost", [of(nation), units, at(region)])
            }
            Effect::TempleDestroyed {
                owner: Some(owner),
                region,
                ..
            } => texts.format("effect-temple-destroyed-of", [of(owner), at(region)]),
            Effect::TempleDestroyed { region, .. } => {
                texts.format("effect-temple-destroyed", [at(region)])
            }
            Effect::BellonaPassed { nation, to } => {
                let to = ("to", texts.nation(to).into());
                texts.format("effect-bellona-passed", [of(nation), to])
            }
            Effect::PersonageWon {
                nation,
                personage,
                extra,
            } => {
                let personage = ("personage", texts.personage(*personage).into());
                match extra {
                    true => texts.format("effect-personage-won-extra", [of(nation), personage]),
                    false => texts.format("effect-personage-won", [of(nation), personage]),
                }
            }
            Effect::CardRevealed { card } => {
                texts.format("effect-card-revealed", [("card", texts.card(card).into())])
            }
            Effect::DeckShuffled { cards } => {
                texts.format("effect-deck-shuffled", [("cards", (*cards).into())])
            }
            Effect::CardTaken { nation, card }
                if !matches!(action, Some(Action::TakeCard { .. })) =>
            {
                let card = ("card", texts.card(card).into());
                texts.format("effect-card-taken", [of(nation), card])
            }
            Effect::ChipsGained {
                nation,
                resource,
                count,
            } => {
                let chips = ("chips", texts.chips(*resource, *count).into());
                texts.format("effect-chips-gained", [of(nation), chips])
            }
            Effect::CoinsGained { nation, count } => {
                let coins = ("coins", texts.coins(u32::from(*count)).into());
                texts.format("effect-coins-gained", [of(nation), coins])
            }
            Effect::CoinsLost { nation, count } => {
                let coins = ("coins", texts.coins(u32::from(*count)).into());
                texts.format("effect-coins-lost", [of(nation), coins])
            }
            Effect::RoundBegan { round } => {
                texts.format("effect-round-began", [("round", (*round).into())])
            }
            Effect::GameEnded { reason } => {
                let reason = ("reason", texts.reason(*reason).into());
                texts.format("effect-game-ended", [reason])
            }
            _ => return None,
        })
    }

    fn payload(self, payload: &EventPayload) -> String {
        let texts = self.texts;
        match payload {
            EventPayload::Setup { .. } => texts.text("event-setup").to_owned(),
            EventPayload::Undo { .. } => texts.text("event-undo").to_owned(),
            EventPayload::Seat { seat, .. } => {
                texts.format("event-seat", [("seat", (*seat).into())])
            }
            EventPayload::Adjudicate { reason, .. } => {
                let reason = ("reason", texts.reason(*reason).into());
                texts.format("event-adjudicated", [reason])
            }
            EventPayload::Abandon => texts.text("event-abandoned").to_owned(),
            EventPayload::Timeout { seat, .. } => {
                texts.format("event-timeout", [("seat", (*seat).into())])
            }
        }
    }
}
