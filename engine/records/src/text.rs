//! The text form of a record: header lines like those of PGN, an empty line, then a line for each turn.
//!
//! A turn is `12. arabs: stone iron; found mecca; end`. The text has all of the JSON form except the event log.

use std::fmt::Write;

use engine::chance::seed_commitment;
use engine::content::Library;
use engine::forms::{RankBody, ResultBody};
use engine::ids::Nation;
use engine::play::Game;
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::State;

use crate::{RECORD_FORMAT, Record, ReplayError};

/// A text that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl Record {
    /// Returns the text form of the record, without its event log.
    ///
    /// # Errors
    /// If the record does not replay: turns and their nations follow from the replay.
    pub fn to_text(&self, library: &Library) -> Result<String, ReplayError> {
        self.to_text_with(("Seed", &self.setup.seed), library)
    }

    /// Like [`Record::to_text`], with the seed's commitment in place of the seed.
    ///
    /// For a running game with a secret seed, which the replay still needs. [`Record::from_text`] reads it
    /// with an empty seed.
    ///
    /// # Errors
    /// Those of [`Record::to_text`].
    pub fn to_text_without_seed(&self, library: &Library) -> Result<String, ReplayError> {
        let commitment = seed_commitment(&self.setup.seed);
        self.to_text_with(("SeedCommitment", &commitment), library)
    }

    fn to_text_with(&self, seed: (&str, &str), library: &Library) -> Result<String, ReplayError> {
        let mut text = self.header(seed);
        let (game, moments) = self.moments(library)?;
        let mut line = None;
        for (action, moment) in self.actions.iter().zip(moments) {
            if line == Some(moment) {
                let _ = write!(text, "; {action}");
            } else {
                let TurnMoment { turn, to_move } = moment;
                let name = game.nation_name(to_move);
                let _ = write!(text, "\n{turn}. {name}: {action}");
                line = Some(moment);
            }
        }
        text.push('\n');
        Ok(text)
    }

    /// Returns the turn and nation of each action. Undone ones belong to the turn of the action before.
    fn moments(&self, library: &Library) -> Result<(Game, Vec<TurnMoment>), ReplayError> {
        let (_, start) = self.start(library)?;
        let mut reached = vec![None; self.actions.len()];
        let (game, _) = self.replay(library, |step| {
            if let Some(next) = reached.get_mut(step.index + 1) {
                *next = Some(TurnMoment::new(step.state));
            }
        })?;
        let mut moment = TurnMoment::new(&start);
        let carried = reached.into_iter().map(|next| {
            moment = next.unwrap_or(moment);
            moment
        });
        let moments = carried.collect();
        Ok((game, moments))
    }

    fn header(&self, seed: (&str, &str)) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
        };
        let setup = &self.setup;
        tag("Format", &self.format);
        tag("Id", &self.id);
        tag("Edition", &setup.edition);
        tag("Board", &setup.board);
        let mut optional = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                tag(name, &value);
            }
        };
        optional("RulesetHash", setup.ruleset_hash.clone());
        optional("BoardHash", setup.board_hash.clone());
        if !setup.variants.is_empty() {
            tag("Variants", &setup.variants.join(" "));
        }
        for seat in &setup.seats {
            tag("Seat", &seat.nations.join(" "));
            match &seat.player {
                Player::Open => tag("Player", "open"),
                Player::Bot { name } => tag("Player", &format!("bot {name}")),
                Player::Person { id, name: None } => tag("Player", &format!("person {id}")),
                Player::Person {
                    id,
                    name: Some(name),
                } => tag("Player", &format!("person {id} {name}")),
            }
        }
        tag(seed.0, seed.1);
        let mut optional = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                tag(name, &value);
            }
        };
        let drawn = Some(setup.drawn).filter(|drawn| *drawn > 0);
        optional("Drawn", drawn.map(|n| n.to_string()));
        optional("First", setup.first.clone());
        optional("MaxRounds", setup.max_rounds.map(|n| n.to_string()));
        optional("Deck", setup.deck.as_ref().map(|deck| deck.join(" ")));
        for deck in &setup.reshuffles {
            optional("Reshuffle", Some(deck.join(" ")));
        }
        let position = setup.position.as_ref();
        optional(
            "Position",
            position.and_then(|body| serde_json::to_string(body).ok()),
        );
        let pace = setup.pace.as_ref();
        optional(
            "Pace",
            pace.and_then(|pace| serde_json::to_string(pace).ok()),
        );
        optional("League", self.league.clone());
        if self.rated {
            tag("Rated", "yes");
        }
        tag("PlayedAt", &self.played_at);
        tag("Source", &self.source.to_string());
        if let Some(result) = &self.result {
            tag("Result", &result.reason.to_string());
            for body in &result.ranks {
                let (seat, rank, points) = (body.seat, body.rank, body.points);
                let mut text = format!("{rank} seat {seat} points {points}");
                // Nations of a seat that were drawn from the seed are listed nowhere else.
                if nations_of(setup, seat) != Some(&body.nations) {
                    let _ = write!(text, " {}", body.nations.join(" "));
                }
                tag("Rank", &text);
            }
        }
        tag("Digest", &self.digest);
        if let Some(signature) = &self.signature {
            tag("Signature", &signature.to_string());
        }
        text
    }

    /// Parses a record from its text form.
    ///
    /// # Errors
    /// The first line that is not part of a record. It does not check that the game replays, or that each line names
    /// the turn that is played in it; for that use [`Record::from_text_with_turns`].
    pub fn from_text(text: &str) -> Result<Record, TextError> {
        read(text).map(|(record, _)| record)
    }

    /// Like [`Record::from_text`], and checks that each line names the turn and nation that it plays.
    ///
    /// It does not check these in a record that does not replay; [`Record::verify`] says why it does not.
    ///
    /// # Errors
    /// Those of [`Record::from_text`]; the first line that names another turn.
    pub fn from_text_with_turns(text: &str, library: &Library) -> Result<Record, TextError> {
        let (record, lines) = read(text)?;
        let Ok((game, moments)) = record.moments(library) else {
            return Ok(record);
        };
        let ends = lines.iter().skip(1).map(|line| line.first);
        let ends = ends.chain([moments.len()]);
        for (line, end) in lines.iter().zip(ends) {
            let is_named = |moment: &&TurnMoment| {
                (moment.turn, game.nation_name(moment.to_move)) == (line.turn, &*line.nation)
            };
            let played = moments[line.first..end].iter();
            if let Some(other) = played.clone().find(|moment| !is_named(moment)) {
                let (turn, nation) = (other.turn, game.nation_name(other.to_move));
                return Err(TextError {
                    line: line.line,
                    message: format!(
                        "the line names turn {} of {}, but the game is in turn {turn} of {nation}",
                        line.turn, line.nation
                    ),
                });
            }
        }
        Ok(record)
    }
}

/// The turn and nation of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TurnMoment {
    turn: u32,
    to_move: Nation,
}

impl TurnMoment {
    fn new(state: &State) -> TurnMoment {
        TurnMoment {
            turn: state.turn,
            to_move: state.to_move,
        }
    }
}

/// The line of a turn.
struct TurnText {
    /// The line, from 1.
    line: usize,
    turn: u32,
    nation: String,
    /// The index of its first action.
    first: usize,
}

fn read(text: &str) -> Result<(Record, Vec<TurnText>), TextError> {
    let mut parser = Parser::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let parsed = match line.strip_prefix('[') {
            _ if line.is_empty() => Ok(()),
            Some(tag) => parser.tag(tag),
            None => parser.turn(index + 1, line),
        };
        parsed.map_err(|message| TextError {
            line: index + 1,
            message,
        })?;
    }
    let turns = std::mem::take(&mut parser.turns);
    let record = parser.finish().map_err(|message| TextError {
        line: text.lines().count().max(1),
        message,
    })?;
    Ok((record, turns))
}

/// Returns a header's value with quotes, backslashes and line breaks escaped by a backslash.
pub(crate) fn escaped(value: &str) -> String {
    let mut text = String::new();
    for character in value.chars() {
        match character {
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\\' | '"' => text.extend(['\\', character]),
            other => text.push(other),
        }
    }
    text
}

#[derive(Default)]
struct Parser {
    tags: Vec<(String, String)>,
    turns: Vec<TurnText>,
    actions: Vec<String>,
}

impl Parser {
    fn tag(&mut self, tag: &str) -> Result<(), String> {
        let form = || "a header line must have the form [Name \"value\"]".to_owned();
        let inner = tag.strip_suffix("\"]").ok_or_else(form)?;
        let (name, escaped) = inner.split_once(" \"").ok_or_else(form)?;
        let mut value = String::new();
        let mut characters = escaped.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => value.push(match characters.next().ok_or_else(form)? {
                    'n' => '\n',
                    'r' => '\r',
                    other => other,
                }),
                '"' => return Err(form()),
                other => value.push(other),
            }
        }
        self.tags.push((name.to_owned(), value));
        Ok(())
    }

    fn turn(&mut self, number: usize, line: &str) -> Result<(), String> {
        let form = || "a turn must have the form 12. arabs: stone iron; end".to_owned();
        let (turn, rest) = line.split_once(". ").ok_or_else(form)?;
        let turn = turn.parse().map_err(|_| form())?;
        let (nation, actions) = rest.split_once(": ").ok_or_else(form)?;
        self.turns.push(TurnText {
            line: number,
            turn,
            nation: nation.to_owned(),
            first: self.actions.len(),
        });
        self.actions
            .extend(actions.split("; ").map(|action| action.trim().to_owned()));
        Ok(())
    }

    fn optional(&mut self, name: &str) -> Option<String> {
        let index = self.tags.iter().position(|(tag, _)| tag == name)?;
        Some(self.tags.remove(index).1)
    }

    fn needed(&mut self, name: &str) -> Result<String, String> {
        self.optional(name)
            .ok_or_else(|| format!("the header [{name} \"…\"] is missing"))
    }

    fn finish(mut self) -> Result<Record, String> {
        let format = self.needed("Format")?;
        if format != RECORD_FORMAT {
            return Err(format!(
                "the format is {format:?}; expected {RECORD_FORMAT:?}"
            ));
        }
        let mut seats = Vec::new();
        while let Some(nations) = self.optional("Seat") {
            let player = self.needed("Player")?;
            seats.push(SetupSeat {
                nations: nations.split_whitespace().map(str::to_owned).collect(),
                player: player_from(&player)?,
            });
        }
        let variants = self.optional("Variants").unwrap_or_default();
        let max_rounds = self.optional("MaxRounds").map(|text| text.parse());
        let drawn = self.optional("Drawn").map(|text| text.parse());
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
        let deck = self.optional("Deck").map(words);
        let mut reshuffles = Vec::new();
        while let Some(deck) = self.optional("Reshuffle") {
            reshuffles.push(words(deck));
        }
        let position = self.optional("Position").map(|j| serde_json::from_str(&j));
        let pace = self.optional("Pace").map(|j| serde_json::from_str(&j));
        // A running game has only the commitment, and an over-the-board game has neither.
        let commitment = self.optional("SeedCommitment");
        let seed = self.optional("Seed");
        let committed =
            |seed| commitment.is_none_or(|commitment| commitment == seed_commitment(seed));
        if seed.as_deref().is_some_and(|seed| !committed(seed)) {
            return Err("SeedCommitment is not the SHA-256 of Seed".to_owned());
        }
        let seed = seed.unwrap_or_default();
        let setup = Setup {
            edition: self.needed("Edition")?,
            board: self.needed("Board")?,
            ruleset_hash: self.optional("RulesetHash"),
            board_hash: self.optional("BoardHash"),
            variants: variants.split_whitespace().map(str::to_owned).collect(),
            seats,
            seed,
            drawn: drawn
                .transpose()
                .map_err(|_| "Drawn is not a number".to_owned())?
                .unwrap_or(0),
            first: self.optional("First"),
            max_rounds: max_rounds
                .transpose()
                .map_err(|_| "MaxRounds is not a number".to_owned())?,
            deck,
            reshuffles,
            position: position
                .transpose()
                .map_err(|error| format!("Position: {error}"))?,
            pace: pace.transpose().map_err(|error| format!("Pace: {error}"))?,
        };
        let result = match self.optional("Result") {
            None => None,
            Some(reason) => Some(self.result(&reason, &setup)?),
        };
        let source = self.needed("Source")?;
        let rated = self.optional("Rated");
        if let Some(other) = rated.as_ref().filter(|rated| *rated != "yes") {
            return Err(format!(
                "Rated is {other:?}; expected yes, or no such header"
            ));
        }
        let record = Record {
            format,
            id: self.needed("Id")?,
            actions: std::mem::take(&mut self.actions),
            events: None,
            result,
            digest: self.needed("Digest")?,
            played_at: self.needed("PlayedAt")?,
            source: source.parse().map_err(|_| {
                format!("Source is {source:?}; expected service, simulation or import")
            })?,
            rated: rated.is_some(),
            league: self.optional("League"),
            signature: (self.optional("Signature"))
                .map(|text| text.parse())
                .transpose()?,
            setup,
        };
        match self.tags.first() {
            None => Ok(record),
            Some((name, _)) => Err(format!(
                "the header {name} is unknown or repeated; remove it"
            )),
        }
    }

    fn result(&mut self, reason: &str, setup: &Setup) -> Result<ResultBody, String> {
        let mut ranks = Vec::new();
        while let Some(rank) = self.optional("Rank") {
            let body = rank_from(&rank, setup);
            ranks.push(body.ok_or_else(|| {
                format!("Rank is {rank:?}; expected a form like 1 seat 0 points 9")
            })?);
        }
        let winners = ranks.iter().filter(|body| body.rank == 1).count();
        for body in &mut ranks {
            body.share = if body.rank == 1 {
                1.0 / winners as f64
            } else {
                0.0
            };
        }
        Ok(ResultBody {
            reason: reason.parse().map_err(|_| {
                format!("Result is {reason:?}, which is not a reason for the end of a game")
            })?,
            ranks,
        })
    }
}

fn player_from(text: &str) -> Result<Player, String> {
    match text.split_once(' ') {
        None if text == "open" => Ok(Player::Open),
        Some(("bot", name)) => Ok(Player::Bot { name: name.into() }),
        Some(("person", person)) => Ok(match person.split_once(' ') {
            None => Player::Person {
                id: person.into(),
                name: None,
            },
            Some((id, name)) => Player::Person {
                id: id.into(),
                name: Some(name.into()),
            },
        }),
        _ => Err(format!(
            "Player is {text:?}; expected open, bot NAME, person ID or person ID NAME"
        )),
    }
}

/// Returns the nations of a seat in the setup.
fn nations_of(setup: &Setup, seat: u8) -> Option<&Vec<String>> {
    let seat = setup.seats.get(usize::from(seat));
    seat.map(|seat| &seat.nations)
}

fn rank_from(text: &str, setup: &Setup) -> Option<RankBody> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [rank, "seat", seat, "points", points, ref drawn @ ..] = words[..] else {
        return None;
    };
    let seat: u8 = seat.parse().ok()?;
    let nations = nations_of(setup, seat)?;
    Some(RankBody {
        seat,
        nations: match drawn {
            [] => nations.clone(),
            _ => drawn.iter().map(ToString::to_string).collect(),
        },
        rank: rank.parse().ok()?,
        points: points.parse().ok()?,
        share: 0.0,
    })
}
