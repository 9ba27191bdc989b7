//! Golden games of Antike Duellum, played by people from the first to the last turn.
//! They cover both boards, with and without the special units.

use anyhow::{Context, Result};
use engine::forms::{CityBody, NationBody, Position, UnitsBody};
use engine::setup::Setup;
use engine::words::{Personage, Resource};
use records::Record;

use super::antike_duellum::{GREECE_PERSIA, ROME_CARTHAGE};
use super::scripted::{Table, from_position, people};

/// The records.
pub fn records() -> Result<Vec<Record>> {
    Ok(vec![
        admiral_from_the_start()?,
        fortress_and_earthquake_from_position()?,
    ])
}

fn setup(board: &str, nations: [&str; 2], rounds: u32) -> Setup {
    let mut setup = people(board, 2, &[], "duellum");
    for (seat, nation) in setup.seats.iter_mut().zip(nations) {
        seat.nations = vec![nation.to_owned()];
    }
    setup.first = Some(nations[0].to_owned());
    setup.max_rounds = Some(rounds);
    setup
}

fn acts(table: &mut Table, actions: &str) -> Result<()> {
    let mut texts = actions.split(';').map(str::trim);
    texts.try_for_each(|text| table.act(text))
}

/// Persians build a temple and a wall and arm their Admiral, which falls at sea to a Greek galley;
/// the Greeks recruit, found two cities and win a king, for which the Persians take a card.
fn admiral_from_the_start() -> Result<Record> {
    let mut setup = setup(GREECE_PERSIA, ["greeks", "persians"], 12);
    setup.variants = vec!["special_units".to_owned()];
    let mut table = Table::from_setup(&setup)?;
    for turns in [
        "stone arming; arm athenae G; end; stone marble; end",
        "stone know_how; recruit 1L; recruit 1G; end; stone iron; end",
        "stone maneuver_2; march 1G athenae mare_aegaeum; end",
        "stone temple; temple ephesos; wall ephesos; end",
        "stone iron; end; stone arming; arm ephesos A; end",
        "stone temple; wall athenae; end",
        "stone maneuver_2; march 1A ephesos mare_icarium; end",
        "stone maneuver_1; march 1G mare_aegaeum mare_icarium; end; stone iron; end",
        "stone arming; arm athenae L; end; stone gold; end",
        "stone marble; end; stone arming; arm ephesos G; end",
        "stone maneuver_2; march 1L athenae oreos; found oreos iron; end; stone marble; end",
        "stone iron; end; stone know_how; recruit 2G; end",
        "stone gold; end; stone maneuver_2; march 1G ephesos lesbos; found lesbos gold; end",
        "stone maneuver_1; march 1L oreos larisa; found larisa gold; end",
        "persians: card burglary; stone iron; play burglary; end",
    ] {
        acts(&mut table, turns)?;
    }
    Ok(table.record("greece_persia_2_admiral_round_limit", None))
}

/// A temple next to another one, a battle, a saved and a lost city, and mercenaries.
/// The city is lost after an event card destroyed its wall; a FORTRESS saves the other one. Cards are taken for
/// losses. Units are recruited and armed against a galley in the harbour.
fn fortress_and_earthquake_from_position() -> Result<Record> {
    let setup = setup(ROME_CARTHAGE, ["romans", "carthaginians"], 5);
    let start = Table::from_setup(&setup)?;
    let mut body = start.body();
    body.bank.cities.clear();
    body.turn_state.armable = None;
    let cards = body.cards.as_mut().context("cards")?;
    cards.deck = 0;
    cards.open = ["settlers", "academy", "conscription"]
        .map(String::from)
        .into();
    for (name, chips, hand) in [
        ("romans", [8, 4, 6, 3], ["earthquake", "tribute"]),
        ("carthaginians", [3, 4, 3, 2], ["fortress", "mercenaries"]),
    ] {
        let nation = body.nations.get_mut(name).context("a nation")?;
        let [marble, iron, gold, coins] = chips;
        *nation = NationBody {
            marble: marble.into(),
            iron: iron.into(),
            gold: gold.into(),
            coins,
            cards: Some(hand.map(String::from).into()),
            walls: None,
            supply: None,
            ..nation.clone()
        };
    }
    let romans = body.nations.get_mut("romans").context("the romans")?;
    romans.personages.insert(Personage::General, 1);
    body.bank.personages.insert(Personage::General, 3);
    body.bank.coins = Some(19);
    body.bank.temples = Some(11);
    for (region, nation, resource) in [
        ("ancona", "romans", Resource::Gold),
        ("agrigentum", "carthaginians", Resource::Iron),
    ] {
        let at = body.regions.entry(region.to_owned()).or_default();
        at.city = Some(CityBody {
            nation: nation.to_owned(),
            resource,
            temple: false,
            wall: false,
        });
    }
    city(&mut body, "roma")?.temple = true;
    city(&mut body, "neapolis")?.wall = true;
    city(&mut body, "carales")?.wall = true;
    for (region, nation, legions, galleys) in [
        ("roma", "romans", 2, 0),
        ("mare_tyrrhenum", "romans", 0, 3),
        ("carales", "carthaginians", 0, 1),
    ] {
        let at = body.regions.entry(region.to_owned()).or_default();
        let units = UnitsBody { legions, galleys };
        at.units.insert(nation.to_owned(), units);
    }
    let mut table = from_position(setup, body)?;
    for turns in [
        "stone temple; temple neapolis; wall roma; play tribute; end",
        "stone know_how; recruit 1L; recruit 1G; end",
        "stone maneuver_1; march 2G mare_tyrrhenum carales; march 1G mare_tyrrhenum agrigentum",
        "play earthquake carales; conquer carales 1G; carthaginians: pass",
        "conquer agrigentum 1G; carthaginians: play fortress; end",
        "carthaginians: card conscription; carthaginians: card settlers",
        "stone iron; play mercenaries agrigentum L; end",
        "stone arming; arm roma L; end",
        "stone arming c1; arm carthago L; arm agrigentum G; end",
        "stone marble; end",
        "stone maneuver_2; march 1L carthago tacape; play settlers; found tacape gold; end",
        "stone know_how; develop strata; recruit 1L; end",
        "carthaginians: card academy; stone iron; play conscription L; end",
    ] {
        acts(&mut table, turns)?;
    }
    Ok(table.record("rome_carthage_2_fortress_from_position_round_limit", None))
}

fn city<'a>(body: &'a mut Position, region: &str) -> Result<&'a mut CityBody> {
    let at = body.regions.get_mut(region).context("a region")?;
    at.city.as_mut().context("a city")
}
