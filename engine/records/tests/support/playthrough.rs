//! Playthroughs: a game as text with the position and legal actions before each action.
//! Lines of the position that are as they were before are left out.

use std::fmt::Write;

use engine::content::Library;
use engine::forms::digest_text;
use engine::ids::{Card, Nation};
use engine::play::{Action, Game, Payments};
use engine::state::{SpecialPlace, State};
use engine::words::{Personage, Resource, Unit};
use records::Record;

/// The names of the golden records that have a playthrough.
pub const NAMES: &[&str] = &[
    "east_3_round_limit",
    "west_2_double_round_limit",
    "west_4_long_game_round_limit",
    "east_6_military_round_limit",
    "orient_3_round_limit",
    "orient_4_temple_destroyed_from_position",
    "greece_persia_2_admiral_round_limit",
    "rome_carthage_2_fortress_from_position_round_limit",
    "rome_carthage_2_round_limit",
    "rome_carthage_2_fortress_from_position",
];

/// The playthrough of a record.
pub fn render(record: &Record) -> String {
    let library = Library::embedded();
    let (game, start) = record.setup.start(library).expect("a setup that starts");
    let mut text = format!(
        "# {} on {}, variants {:?}, seed {}\n",
        record.setup.edition, record.setup.board, record.setup.variants, record.setup.seed
    );
    let mut before = start;
    let mut shown = Vec::new();
    let mut number = 0;
    let (_, last) = record
        .replay(library, |step| {
            number += 1;
            let _ = writeln!(text, "\n## {number}");
            write_position(&game, &before, &mut shown, &mut text);
            write_legal_actions(&game, &before, &mut text);
            let action = game.print(&step.action);
            let _ = writeln!(text, "> {}: {action}", game.nation_name(step.nation));
            for effect in step.effects {
                let body = effect.named(&game);
                let json = serde_json::to_string(&body).expect("an effect has a JSON form");
                let _ = writeln!(text, "  {json}");
            }
            before = step.state.clone();
        })
        .expect("a record that replays");
    let _ = writeln!(text, "\n## end");
    write_position(&game, &last, &mut shown, &mut text);
    let result = game.result_body(&last);
    let json = serde_json::to_string(&result).expect("a result has a JSON form");
    let _ = writeln!(text, "result {json}");
    text
}

fn write_position(game: &Game, state: &State, shown: &mut Vec<String>, text: &mut String) {
    let bank = &state.bank;
    let mut lines = vec![
        format!(
            "round {} turn {} {} {}",
            state.round,
            state.turn,
            game.nation_name(state.to_move),
            state.phase
        ),
        format!(
            "bank coins {} temples {} {}",
            bank.coins,
            bank.temples,
            personages(&bank.personages)
        ),
    ];
    for nation in game.all_nations() {
        lines.push(possessions(game, state, nation));
        lines.push(pieces(game, state, nation));
    }
    if let Some(holder) = state.bellona {
        let temples = state
            .neutral_temples
            .iter()
            .map(|region| game.board.name(region));
        let temples: Vec<&str> = temples.collect();
        let holder = game.nation_name(holder);
        lines.push(format!(
            "bellona {holder} neutral temples {}",
            temples.join(" ")
        ));
    }
    if game.rules.data.recruitment.is_some() {
        lines.extend(
            game.all_nations()
                .map(|nation| box_and_hand(game, state, nation)),
        );
    }
    if game.rules.data.cards.is_some() {
        lines.push(format!(
            "cards open {} deck {} used {}",
            cards(game, state.cards.open.cards()),
            state.cards.deck.len(),
            cards(game, state.cards.used.cards())
        ));
    }
    for (index, line) in lines.iter().enumerate() {
        if shown.get(index) != Some(line) {
            let _ = writeln!(text, "{line}");
        }
    }
    let _ = writeln!(text, "digest {}", digest_text(state.digest()));
    *shown = lines;
}

fn personages(counts: &[u8; Personage::COUNT]) -> String {
    let each = Personage::ALL.iter().zip(counts);
    let words: Vec<String> = each
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    words.join(" ")
}

fn possessions(game: &Game, state: &State, nation: Nation) -> String {
    let owned = state.nation(nation);
    let [marble, iron, gold] = owned.holdings.chips;
    let mut line = format!(
        "{} m{marble} i{iron} g{gold} c{} {}",
        game.nation_name(nation),
        owned.holdings.coins,
        personages(&owned.personages)
    );
    if let Some(stone) = owned.stone {
        let _ = write!(line, " stone {stone}");
    }
    for know_how in owned.know_how {
        let _ = write!(line, " {}", game.ruleset.know_how_name(know_how));
    }
    line
}

fn cards(game: &Game, cards: &[Card]) -> String {
    let names = cards.iter().map(|card| game.ruleset.card_name(*card));
    names.collect::<Vec<&str>>().join(" ")
}

/// What a nation has in its recruitment box, its supply of town walls and its hand.
fn box_and_hand(game: &Game, state: &State, nation: Nation) -> String {
    let owned = state.nation(nation);
    let [legions, galleys] = owned.boxed;
    let mut line = format!("  {} box {legions}L{galleys}G", game.nation_name(nation));
    if let (Some(unit), Some(SpecialPlace::Boxed)) =
        (game.special_units[nation.index()], owned.special)
    {
        let _ = write!(line, "+{unit}");
    }
    let hand: Vec<Card> = (0..)
        .map(Card)
        .zip(owned.hand)
        .flat_map(|(card, count)| (0..count).map(move |_| card))
        .collect();
    let walls = game.walls_in_supply(state, nation);
    let _ = write!(line, " walls {walls} hand {}", cards(game, &hand));
    line
}

fn pieces(game: &Game, state: &State, nation: Nation) -> String {
    let owned = state.nation(nation);
    let mut line = format!("  {}:", game.nation_name(nation));
    let [legions, galleys] = owned.stands;
    let special = state.special_stands(nation);
    for region in owned.cities | legions | galleys | special {
        let _ = write!(line, " {}", game.board.name(region));
        if owned.cities.contains(region) {
            let letter = state.resource(region).map_or('?', Resource::letter);
            let temple = if state.has_temple(region) { "T" } else { "" };
            let wall = if state.has_wall(region) { "W" } else { "" };
            let _ = write!(line, "({letter}{temple}{wall})");
        }
        for unit in Unit::ALL {
            let count = state.units(region, nation, *unit);
            if count > 0 {
                let _ = write!(line, "+{count}{}", unit.letter());
            }
        }
        if let Some(unit) = game.special_units[nation.index()]
            && special.contains(region)
        {
            let _ = write!(line, "+{unit}");
        }
    }
    line
}

fn write_legal_actions(game: &Game, state: &State, text: &mut String) {
    let mut actions: Vec<Action> = Vec::new();
    game.legal_actions(state, Payments::Default, &mut actions);
    let printed: Vec<String> = actions.iter().map(|action| game.print(action)).collect();
    let _ = writeln!(text, "{} legal: {}", printed.len(), printed.join("; "));
}
