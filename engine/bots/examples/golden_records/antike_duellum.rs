//! Golden games of Antike Duellum: both boards, with and without special units.
//!
//! Some have scripted actions of people.

use anyhow::{Context, Result};
use engine::content::Library;
use engine::forms::UnitsBody;
use engine::state::{Question, State};
use engine::words::{EndReason, Phase};
use records::Record;

use super::antike_duellum_people;
use super::scripted::{Table, from_position, ranked, start_position};
use super::{Played, played};

/// A board of the edition.
pub const ROME_CARTHAGE: &str = "duellum-rome-carthage";
/// The other board of the edition.
pub const GREECE_PERSIA: &str = "duellum-greece-persia";

/// The games of bots from the set-up.
pub const PLAYED: &[Played] = &[
    played(
        "rome_carthage_2_goal",
        ROME_CARTHAGE,
        &["greedy"; 2],
        &[],
        831,
        80,
    ),
    played(
        "greece_persia_2_goal",
        GREECE_PERSIA,
        &["greedy"; 2],
        &[],
        552,
        80,
    ),
    played(
        "rome_carthage_2_goal_reshuffle",
        ROME_CARTHAGE,
        &["greedy"; 2],
        &[],
        491,
        80,
    ),
    played(
        "rome_carthage_2_goal_special_units",
        ROME_CARTHAGE,
        &["greedy"; 2],
        &["special_units"],
        1176,
        80,
    ),
    played(
        "greece_persia_2_goal_special_units_reshuffle",
        GREECE_PERSIA,
        &["greedy"; 2],
        &["special_units"],
        1230,
        80,
    ),
    played(
        "rome_carthage_2_military",
        ROME_CARTHAGE,
        &["greedy_military"; 2],
        &[],
        1,
        80,
    ),
    played(
        "greece_persia_2_growth_and_progress",
        GREECE_PERSIA,
        &["greedy_growth", "greedy_progress"],
        &[],
        1,
        80,
    ),
    played(
        "rome_carthage_2_random",
        ROME_CARTHAGE,
        &["random"; 2],
        &[],
        1,
        14,
    ),
    played(
        "greece_persia_2_random",
        GREECE_PERSIA,
        &["random"; 2],
        &[],
        2,
        14,
    ),
    played(
        "rome_carthage_2_random_special_units",
        ROME_CARTHAGE,
        &["random"; 2],
        &["special_units"],
        636,
        14,
    ),
    played(
        "greece_persia_2_random_special_units",
        GREECE_PERSIA,
        &["random"; 2],
        &["special_units"],
        1507,
        14,
    ),
    played(
        "rome_carthage_2_greedy_and_random",
        ROME_CARTHAGE,
        &["greedy", "random"],
        &["special_units"],
        3,
        40,
    ),
    played(
        "rome_carthage_2_round_limit",
        ROME_CARTHAGE,
        &["greedy_progress", "greedy_military"],
        &["special_units"],
        4,
        20,
    ),
    played(
        "greece_persia_2_round_limit",
        GREECE_PERSIA,
        &["greedy_growth", "greedy_military"],
        &[],
        5,
        16,
    ),
];

/// The scripted records. Those of games that are over spell out their decks.
pub fn scripted() -> Result<Vec<Record>> {
    let mut all = vec![
        fortresses_from_position()?,
        resignation()?,
        resignation_of_the_mover()?,
        undone_cards()?,
        goes_on()?,
    ];
    all.extend(antike_duellum_people::records()?);
    for record in all.iter_mut().filter(|record| record.result.is_some()) {
        record.spell_out(Library::embedded())?;
    }
    Ok(all)
}

/// Three declared conquests [D43].
/// One FORTRESS costs the conqueror one more unit, another saves the city, and no card is played against the third.
/// Both cards are taken, the second from a new deck [D40].
fn fortresses_from_position() -> Result<Record> {
    let (setup, mut body) = start_position(ROME_CARTHAGE, 2)?;
    let carthaginians = "carthaginians".to_owned();
    for (region, legions, galleys) in [("roma", 1, 1), ("neapolis", 0, 1), ("cremona", 1, 0)] {
        let region = body.regions.entry(region.to_owned()).or_default();
        let units = UnitsBody { legions, galleys };
        region.units.insert(carthaginians.clone(), units);
    }
    let roma = body.regions.entry("roma".to_owned()).or_default();
    roma.city.as_mut().context("a city")?.wall = true;
    let words = |names: &str| -> Vec<String> { names.split(' ').map(str::to_owned).collect() };
    for (nation, hand) in [
        (&carthaginians, "earthquake mercenaries"),
        (&"romans".to_owned(), "fortress fortress fortress"),
    ] {
        let nation = body.nations.get_mut(nation).context("a nation")?;
        nation.cards = Some(words(hand));
        nation.walls = None;
    }
    let cards = body.cards.as_mut().context("cards")?;
    cards.open = words("academy burglary tribute");
    cards.order = Some(words("settlers"));
    cards.used = words(
        "academy burglary earthquake forced_march forced_march fair_wind fair_wind master_builder \
         master_builder rich_harvest rich_harvest mercenaries conscription conscription tribute \
         settlers",
    );
    cards.deck = 1;
    body.to_move = carthaginians;
    let mut table = from_position(setup, body)?;
    for text in [
        "stone maneuver_1",
        "play earthquake roma",
        "conquer roma 1L",
        "romans: play fortress",
        "conquer neapolis 1G",
        "romans: play fortress",
        "conquer cremona 1L",
        "romans: pass",
        "play mercenaries carthago L",
        "end",
        "romans: card tribute",
        "romans: card settlers",
    ] {
        table.act(text)?;
    }
    table.play_until("greedy", |state| state.round == 5)?;
    let result = ranked(&table, EndReason::Adjudication, &[1, 2]);
    Ok(table.record("rome_carthage_2_fortress_from_position", Some(result)))
}

/// A nation resigns out of turn.
fn resignation() -> Result<Record> {
    let mut table = Table::new(ROME_CARTHAGE, 2, &[], "resignation")?;
    table.play_until("greedy", |state| state.turn == 24)?;
    let other = table.game.opponent(&table.state, table.state.to_move);
    let name = table.game.nation_name(other).to_owned();
    table.act(&format!("{name}: resign"))?;
    Ok(table.record("rome_carthage_2_resignation", None))
}

/// The mover resigns during its action.
fn resignation_of_the_mover() -> Result<Record> {
    let mut table = Table::new(GREECE_PERSIA, 2, &["special_units"], "resignation")?;
    let in_action = |state: &State| state.turn >= 30 && state.phase == Phase::Action;
    table.play_until("greedy", in_action)?;
    table.act("resign")?;
    Ok(table.record("greece_persia_2_resignation", None))
}

/// A taken card is undone and another one taken.
fn undone_cards() -> Result<Record> {
    let mut table = Table::new(GREECE_PERSIA, 2, &[], "undone")?;
    let asked = |state: &State| matches!(state.question, Some(Question::Cards { .. }));
    table.play_until("greedy", asked)?;
    let open = table.state.cards.open;
    for (index, card) in open.cards().iter().enumerate() {
        if index > 0 {
            table.undo(1)?;
        }
        let name = table.game.ruleset.card_name(*card);
        let asked = table.game.opponent(&table.state, table.state.to_move);
        let text = format!("{}: card {name}", table.game.nation_name(asked));
        table.act(&text)?;
    }
    table.play_until("random", |state| state.round == 12)?;
    let result = ranked(&table, EndReason::Agreement, &[1, 1]);
    Ok(table.record("greece_persia_2_undone_cards", Some(result)))
}

/// A game that is not over: its deck stays hidden.
fn goes_on() -> Result<Record> {
    let mut table = Table::new(GREECE_PERSIA, 2, &[], "goes on")?;
    table.play_until("greedy", |state| state.round == 14)?;
    Ok(table.record("greece_persia_2_goes_on", None))
}
