//! Golden games with scripted actions of people.
//!
//! They resign, agree on a result, undo actions, or start from a position.

use anyhow::{Context, Result, bail};
use bots::Host;
use engine::content::Library;
use engine::forms::{Position, ResultBody, View, digest_text};
use engine::play::Game;
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::State;
use engine::words::{EndReason, Personage, Phase};
use records::{RECORD_FORMAT, Record, Source};

use super::antike_ii::{MARE_NOSTRUM, ORIENT};
use super::{EAST, PLAYED_AT, WEST, setup};

/// A running game.
pub struct Table {
    /// The setup with every choice spelled out.
    pub setup: Setup,
    /// The game.
    pub game: Game,
    /// The current state.
    pub state: State,
    /// The states before each of the live actions.
    before: Vec<State>,
    actions: Vec<String>,
}

impl Table {
    /// The start of a game of people.
    pub fn new(board: &str, seats: usize, variants: &[&str], seed: &str) -> Result<Table> {
        Table::from_setup(&people(board, seats, variants, seed))
    }

    /// The game as it starts from a setup.
    pub fn from_setup(setup: &Setup) -> Result<Table> {
        let (game, state) = setup.start(Library::embedded())?;
        Ok(Table {
            setup: setup.spelled_out(Library::embedded())?,
            game,
            state,
            before: Vec::new(),
            actions: Vec::new(),
        })
    }

    /// Lets a bot play all nations until `stop` or the end of the game.
    pub fn play_until(&mut self, bot: &str, stop: impl Fn(&State) -> bool) -> Result<()> {
        let mut host = Host::new(&self.game, &self.state);
        for seat in 0..self.setup.seats.len() as u8 {
            host.seat(seat, &bot.parse()?);
        }
        while !stop(&self.state)
            && let Some(question) = self.game.question(&self.state)
        {
            let decision = self.actions.len() as u64;
            let action = host.choose(&self.state, decision);
            let action = action.context("a bot that must act acts")?;
            let text = self.game.print_by(&self.state, question.nation(), &action);
            self.act(&text)?;
        }
        Ok(())
    }

    /// Plays an action in notation.
    pub fn act(&mut self, text: &str) -> Result<()> {
        let (nation, action) = self.game.parse(text)?;
        let question = self.game.question(&self.state);
        let acts = question.context("the game is over")?.nation();
        let nation = nation.unwrap_or(acts);
        self.before.push(self.state.clone());
        self.game
            .apply(&mut self.state, nation, action, &mut Vec::new())
            .with_context(|| text.to_owned())?;
        self.actions.push(text.to_owned());
        Ok(())
    }

    /// Undoes the last actions.
    pub fn undo(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let live = |text: &&mut String| !text.starts_with('-');
            let last = self.actions.iter_mut().rev().find(live);
            last.context("nothing to take back")?.insert(0, '-');
            self.state = self.before.pop().context("nothing to take back")?;
        }
        Ok(())
    }

    /// The game's state on the wire.
    pub fn body(&self) -> Position {
        View::from_state(&self.game, &self.state).into()
    }

    /// The game as a record.
    pub fn record(self, name: &str, result: Option<ResultBody>) -> Record {
        Record {
            format: RECORD_FORMAT.to_owned(),
            id: name.to_owned(),
            result: result.or_else(|| self.game.result_body(&self.state)),
            digest: digest_text(self.state.digest()),
            setup: self.setup,
            actions: self.actions,
            events: None,
            played_at: PLAYED_AT.to_owned(),
            source: Source::Service,
            rated: false,
            league: None,
            signature: None,
        }
    }
}

/// The hash of the version of an edition's rules by which the golden records were played.
pub fn first_version(edition: &str) -> Option<String> {
    let ruleset = Library::embedded().ruleset_numbered(edition, 1);
    ruleset.map(|ruleset| ruleset.hash.to_string())
}

/// A setup with people on all seats.
pub fn people(board: &str, seats: usize, variants: &[&str], seed: &str) -> Setup {
    let person = |seat: usize| SetupSeat {
        nations: Vec::new(),
        player: Player::Person {
            id: format!("person-{seat}"),
            name: Some(format!("Player \"{seat}\"")),
        },
    };
    let edition = setup::edition_of(board);
    Setup {
        ruleset_hash: first_version(&edition),
        edition,
        board: board.to_owned(),
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        seats: (0..seats).map(person).collect(),
        seed: seed.to_owned(),
        max_rounds: Some(60),
        ..Setup::default()
    }
}

/// The scripted records.
pub fn records() -> Result<Vec<Record>> {
    Ok(vec![
        resignation_of_all_but_one()?,
        resignation_on_the_way()?,
        resignation_in_set_up()?,
        agreement()?,
        adjudication()?,
        undone_actions()?,
        goes_on()?,
        temple_destroyed_from_position()?,
        conquest_giving_up_from_position()?,
    ])
}

/// The scripted records of Antike II.
pub fn records_of_antike_ii() -> Result<Vec<Record>> {
    Ok(vec![
        last_personage_by_temple_from_position()?,
        resignation_with_the_card()?,
        free_unit_left_out()?,
    ])
}

/// Two of three players resign, one of them out of turn.
fn resignation_of_all_but_one() -> Result<Record> {
    let mut table = Table::new(EAST, 3, &[], "resignation")?;
    table.play_until("greedy", |state| state.turn == 8)?;
    let mover = table.state.to_move;
    let names: Vec<String> = table
        .game
        .all_nations()
        .filter(|nation| *nation != mover)
        .map(|nation| table.game.nation_name(nation).to_owned())
        .collect();
    table.act(&format!("{}: resign", names[0]))?;
    table.act("resign")?;
    Ok(table.record("east_3_resignation", None))
}

/// One of four players resigns during its turn; the others continue.
fn resignation_on_the_way() -> Result<Record> {
    let mut table = Table::new(WEST, 4, &[], "resignation on the way")?;
    let in_action = |state: &State| state.turn == 30 && state.phase == Phase::Action;
    table.play_until("greedy", in_action)?;
    table.act("resign")?;
    table.play_until("greedy", |_| false)?;
    Ok(table.record("west_4_resignation_on_the_way", None))
}

/// A player resigns before choosing a start city, which is then drawn.
fn resignation_in_set_up() -> Result<Record> {
    let mut table = Table::new(EAST, 4, &["long_game"], "resignation in set-up")?;
    table.play_until("random", |state| {
        state.nations.iter().any(|n| !n.cities.is_empty())
    })?;
    table.act("resign")?;
    table.play_until("greedy", |state| state.round == 6)?;
    let result = ranked(&table, EndReason::Agreement, &[1, 1, 1, 2]);
    Ok(table.record("east_4_resignation_in_set_up", Some(result)))
}

/// A result by agreement or adjudication.
pub fn ranked(table: &Table, reason: EndReason, ranks: &[u8]) -> ResultBody {
    let ranks = (0..).zip(ranks.iter().copied());
    table.game.rank_seats(&table.state, reason, ranks)
}

fn agreement() -> Result<Record> {
    let mut table = Table::new(WEST, 3, &[], "agreement")?;
    table.play_until("greedy", |state| state.round == 9)?;
    let result = ranked(&table, EndReason::Agreement, &[1, 2, 1]);
    Ok(table.record("west_3_agreement", Some(result)))
}

fn adjudication() -> Result<Record> {
    let mut table = Table::new(EAST, 2, &[], "adjudication")?;
    table.play_until("greedy", |state| state.round == 7)?;
    let result = ranked(&table, EndReason::Adjudication, &[2, 1]);
    Ok(table.record("east_2_adjudication", Some(result)))
}

/// A turn is undone and played differently; then an undo includes actions that were already undone.
fn undone_actions() -> Result<Record> {
    let mut table = Table::new(EAST, 4, &[], "undone")?;
    let bot = "greedy";
    table.play_until(bot, |state| state.turn == 2)?;
    let begun = table.before.len();
    table.act("stone marble")?;
    table.undo(1)?;
    table.play_until(bot, |state| state.turn == 3)?;
    table.undo(table.before.len() - begun)?;
    table.act("stone gold")?;
    table.act("end")?;
    table.play_until(bot, |_| false)?;
    Ok(table.record("east_4_undone", None))
}

/// A game that is not over.
fn goes_on() -> Result<Record> {
    let mut table = Table::new(WEST, 5, &[], "goes on")?;
    table.play_until("greedy", |state| state.turn == 22)?;
    Ok(table.record("west_5_goes_on", None))
}

/// The start of a game as a position that can be changed.
pub fn start_position(board: &str, seats: usize) -> Result<(Setup, Position)> {
    let table = Table::new(board, seats, &[], "position")?;
    let mut body = table.body();
    for nation in body.nations.values_mut() {
        nation.supply = None;
    }
    Ok((table.setup, body))
}

/// The game from a position.
pub fn from_position(mut setup: Setup, body: Position) -> Result<Table> {
    setup.position = Some(Box::new(body));
    Table::from_setup(&setup)
}

/// A temple is destroyed when no personage is left [A33].
fn temple_destroyed_from_position() -> Result<Record> {
    let (setup, mut body) = start_position(EAST, 4)?;
    for (index, kind) in Personage::ALL.iter().enumerate() {
        let left = body.bank.personages.insert(*kind, 0).unwrap_or(0);
        // Distributed so that no nation has reached the goal.
        for (place, nation) in body.nations.values_mut().enumerate() {
            let share = left / 4 + u8::from((place + index) % 4 < usize::from(left % 4));
            nation.personages.insert(*kind, share);
        }
    }
    let tyros = body.regions.get_mut("tyros").context("tyros")?;
    tyros.city.as_mut().context("a city")?.temple = true;
    body.bank.temples = body.bank.temples.map(|left| left - 1);
    let owner = tyros.city.as_ref().context("a city")?.nation.clone();
    let attacker = "persians".to_owned();
    if owner == attacker {
        bail!("the persians have tyros");
    }
    tyros.units.entry(attacker.clone()).or_default().legions = 4;
    body.to_move = attacker;
    let mut table = from_position(setup, body)?;
    table.act("stone maneuver_1")?;
    table.act("conquer tyros 3L")?;
    Ok(table.record("east_4_temple_destroyed_from_position", None))
}

/// A nation with all its tokens on the board gives up a city for another's [A28].
fn conquest_giving_up_from_position() -> Result<Record> {
    let (setup, mut body) = start_position(WEST, 4)?;
    let romans = "romans".to_owned();
    let board = Library::embedded().board(WEST).context("the board")?;
    let mut owned = 3;
    for region in &board.data.regions {
        let entry = body.regions.entry(region.id.clone()).or_default();
        if let (25.., _) | (_, Some(_)) = (owned, &entry.city) {
            continue;
        }
        entry.city = Some(engine::forms::CityBody {
            nation: romans.clone(),
            resource: region.site.resource().context("a site")?,
            temple: false,
            wall: false,
        });
        owned += 1;
    }
    let tyros = body.regions.entry("tyros".to_owned()).or_default();
    tyros.units.entry(romans.clone()).or_default().galleys = 2;
    body.to_move = romans;
    let mut table = from_position(setup, body)?;
    table.act("stone maneuver_2")?;
    table.act("conquer tyros 1G giving syracus")?;
    table.act("end")?;
    table.play_until("greedy", |state| state.round == 4)?;
    let result = ranked(&table, EndReason::Adjudication, &[1, 1, 1, 1]);
    Ok(table.record("west_4_conquest_giving_up_from_position", Some(result)))
}

/// A nation that lacks one personage destroys a temple without owner [B28] [B32].
/// All generals are won.
fn last_personage_by_temple_from_position() -> Result<Record> {
    let (setup, mut body) = start_position(ORIENT, 4)?;
    let arabs = "arabs".to_owned();
    let nation = body.nations.get_mut(&arabs).context("the arabs")?;
    for (kind, count) in [(Personage::General, 7), (Personage::Scholar, 1)] {
        nation.personages.insert(kind, count);
        *body.bank.personages.get_mut(&kind).context("a stack")? -= count;
    }
    let babylon = body.regions.get_mut("babylon").context("babylon")?;
    babylon.units.entry(arabs.clone()).or_default().legions = 4;
    body.to_move = arabs;
    let mut table = from_position(setup, body)?;
    table.act("stone maneuver_1")?;
    table.act("conquer babylon 3L")?;
    table.act("end")?;
    Ok(table.record("orient_4_temple_destroyed_from_position", None))
}

/// The holder of the Bellona card resigns, and the others pass it on [B17].
fn resignation_with_the_card() -> Result<Record> {
    let mut table = Table::new(MARE_NOSTRUM, 5, &[], "resignation with the card")?;
    table.play_until("greedy", |state| state.turn == 12)?;
    let holder = table.state.bellona.context("the card")?;
    let name = table.game.nation_name(holder).to_owned();
    table.act(&format!("{name}: resign"))?;
    table.play_until("greedy", |state| state.round == 12)?;
    let result = ranked(&table, EndReason::Agreement, &[1, 1, 1, 1, 1]);
    Ok(table.record("mare_nostrum_5_resignation_with_the_card", Some(result)))
}

/// The card is passed on although its holder sets up no unit [B17].
fn free_unit_left_out() -> Result<Record> {
    let mut table = Table::new(ORIENT, 6, &[], "free unit left out")?;
    let holder = table.state.bellona.context("the card")?;
    table.play_until("greedy", |state| state.to_move == holder)?;
    table.act("stone arming")?;
    table.act("end")?;
    table.play_until("greedy", |state| state.round == 8)?;
    Ok(table.record("orient_6_free_unit_left_out", None))
}
