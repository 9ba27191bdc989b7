//! Notation: the text form of actions, a few words each, printed and parsed without loss.
//!
//! `stone temple g1`, `temple saba m3c2`, `arm tyros G`, `develop sailing`,
//! `march 2L roma neapolis`, `march 1L@2 roma neapolis`, `battle 1G athen greeks`, `answer 0`,
//! `conquer pella 2L1G`, `conquer pella 3L giving saba`, `found paphos gold`, `trade m1g1 i1`,
//! `chip iron`, `take general`, `city saba`, `wall roma`, `recruit 2L`, `card fortress`,
//! `play mercenaries roma L`, `pass`, `end`, `resign`. An action out of turn begins with its nation:
//! `greeks: resign`.

use std::fmt::Write;
use std::str::FromStr;

use crate::chips::{Gain, Payment};
use crate::ids::{Card, Nation, Region};
use crate::play::{Action, Game};
use crate::state::State;
use crate::words::{Piece, Resource, Unit};

/// A text that is not an action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an action: {message}")]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

impl Game {
    /// Prints an action without its nation.
    pub fn print(&self, action: &Action) -> String {
        let mut text = String::new();
        self.write(action, &mut text);
        text
    }

    /// Prints an action as it is stored: with its nation, unless it has the turn and no other must answer.
    pub fn print_by(&self, state: &State, nation: Nation, action: &Action) -> String {
        let mut text = String::new();
        let asked = self.question(state).map(|question| question.nation());
        if nation != state.to_move || asked.is_some_and(|asked| asked != nation) {
            text.push_str(self.nation_name(nation));
            text.push_str(": ");
        }
        self.write(action, &mut text);
        text
    }

    fn write(&self, action: &Action, text: &mut String) {
        let region = |region: Region| self.board.name(region);
        match *action {
            Action::MoveStone { field, pay } => {
                text.push_str("stone ");
                text.push_str(field.name());
                write_pay(Some(pay).filter(|pay| *pay != Payment::NOTHING), text);
            }
            Action::BuildTemple { region: at, pay } => {
                text.push_str("temple ");
                text.push_str(region(at));
                write_pay(pay, text);
            }
            Action::BuildWall { region: at, pay } => {
                text.push_str("wall ");
                text.push_str(region(at));
                write_pay(pay, text);
            }
            Action::Arm {
                region: at,
                unit,
                free,
                pay,
            } => {
                text.push_str("arm ");
                text.push_str(region(at));
                text.push(' ');
                text.push(unit.letter());
                if free {
                    text.push_str(" free");
                }
                write_pay(pay, text);
            }
            Action::Develop { know_how, pay } => {
                text.push_str("develop ");
                text.push_str(self.ruleset.know_how_name(know_how));
                write_pay(pay, text);
            }
            Action::Recruit { unit, count, pay } => {
                write_all(text, format_args!("recruit {count}{}", unit.letter()));
                write_pay(pay, text);
            }
            Action::March {
                unit,
                count,
                from,
                to,
                left,
            } => {
                write_all(text, format_args!("march {count}{}", unit.letter()));
                if let Some(left) = left {
                    write_all(text, format_args!("@{left}"));
                }
                write_all(text, format_args!(" {} {}", region(from), region(to)));
            }
            Action::Battle {
                unit,
                count,
                region: at,
                against,
            } => write_all(
                text,
                format_args!(
                    "battle {count}{} {} {}",
                    unit.letter(),
                    region(at),
                    self.nation_name(against)
                ),
            ),
            Action::AnswerBattle { count } => write_all(text, format_args!("answer {count}")),
            Action::Conquer {
                region: at,
                legions,
                galleys,
                give_up,
            } => {
                write_all(text, format_args!("conquer {} ", region(at)));
                match (legions, galleys) {
                    (0, 0) => text.push('0'),
                    (legions, 0) => write_all(text, format_args!("{legions}L")),
                    (0, galleys) => write_all(text, format_args!("{galleys}G")),
                    (legions, galleys) => write_all(text, format_args!("{legions}L{galleys}G")),
                }
                if let Some(city) = give_up {
                    write_all(text, format_args!(" giving {}", region(city)));
                }
            }
            Action::Found {
                region: at,
                resource,
                pay,
            } => {
                text.push_str("found ");
                text.push_str(region(at));
                if let Some(resource) = resource {
                    text.push(' ');
                    text.push_str(resource.name());
                }
                write_pay(pay, text);
            }
            Action::Trade { give, take } => {
                text.push_str("trade");
                write_pay(Some(give), text);
                write_pay(Some(Payment::from_parts(take.chips(), take.coins)), text);
            }
            Action::ChooseChip { resource } => {
                write_all(text, format_args!("chip {}", resource.name()));
            }
            Action::ChoosePersonage { personage } => {
                write_all(text, format_args!("take {}", personage.name()));
            }
            Action::ChooseCity { region: at } => {
                write_all(text, format_args!("city {}", region(at)));
            }
            Action::TakeCard { card } => {
                write_all(text, format_args!("card {}", self.ruleset.card_name(card)));
            }
            Action::PlayCard {
                card,
                region: at,
                unit,
            } => {
                write_all(text, format_args!("play {}", self.ruleset.card_name(card)));
                if let Some(at) = at {
                    write_all(text, format_args!(" {}", region(at)));
                }
                if let Some(unit) = unit {
                    write_all(text, format_args!(" {}", unit.letter()));
                }
            }
            Action::Pass => text.push_str("pass"),
            Action::EndTurn => text.push_str("end"),
            Action::Resign => text.push_str("resign"),
        }
    }

    /// Parses an action. Without a nation in the text, it is of the nation that must act.
    ///
    /// # Errors
    /// If the text is not an action.
    pub fn read(&self, state: &State, text: &str) -> Result<(Nation, Action), NotationError> {
        let (named, action) = self.parse(text)?;
        let acts = || self.question(state).map(|question| question.nation());
        Ok((named.or_else(acts).unwrap_or(state.to_move), action))
    }

    /// Parses an action, and its nation if the text has one.
    ///
    /// # Errors
    /// If the text is not an action with this game's regions, nations, know-hows and cards. It does not check that the
    /// action is legal.
    pub fn parse(&self, text: &str) -> Result<(Option<Nation>, Action), NotationError> {
        let fail = |message: String| NotationError {
            text: text.to_owned(),
            message,
        };
        let (nation, rest) = match text.split_once(':') {
            None => (None, text),
            Some((name, rest)) => {
                let name = name.trim();
                let nation = self.nation_by_name(name);
                let nation = nation.ok_or_else(|| fail(format!("no nation {name:?} plays")))?;
                (Some(nation), rest)
            }
        };
        let mut words = Words {
            words: rest.split_whitespace(),
            game: self,
        };
        let action = words.action().map_err(&fail)?;
        match words.words.next() {
            None => Ok((nation, action)),
            Some(word) => Err(fail(format!(
                "remove {word:?}: the action is complete without it"
            ))),
        }
    }
}

/// Writing to a string cannot fail.
fn write_all(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
}

fn write_pay(pay: Option<Payment>, text: &mut String) {
    let Some(pay) = pay else {
        return;
    };
    text.push(' ');
    if pay == Payment::NOTHING {
        text.push('0');
    }
    let letters = Resource::ALL.iter().map(|resource| resource.letter());
    let [marble, iron, gold] = pay.chips();
    for (letter, count) in letters.chain(['c']).zip([marble, iron, gold, pay.coins]) {
        if count > 0 {
            write_all(text, format_args!("{letter}{count}"));
        }
    }
}

struct Words<'a, 'b> {
    words: std::str::SplitWhitespace<'a>,
    game: &'b Game,
}

impl<'a> Words<'a, '_> {
    fn action(&mut self) -> Result<Action, String> {
        let action = match self.word("an action")? {
            "stone" => Action::MoveStone {
                field: self.named("a field of the rondel")?,
                pay: self.pay()?.unwrap_or(Payment::NOTHING),
            },
            "temple" => Action::BuildTemple {
                region: self.region()?,
                pay: self.pay()?,
            },
            "wall" => Action::BuildWall {
                region: self.region()?,
                pay: self.pay()?,
            },
            "arm" => Action::Arm {
                region: self.region()?,
                unit: self.piece()?,
                free: self.is_next("free"),
                pay: self.pay()?,
            },
            "develop" => {
                let name = self.word("a know-how")?;
                let know_how = self.game.ruleset.know_how_by_name(name);
                Action::Develop {
                    know_how: know_how.ok_or_else(|| format!("there is no know-how {name:?}"))?,
                    pay: self.pay()?,
                }
            }
            "recruit" => {
                let (count, unit) = one_kind(self.word("units such as 2L")?)?;
                Action::Recruit {
                    unit,
                    count,
                    pay: self.pay()?,
                }
            }
            "march" => {
                let group = self.word("units such as 2L")?;
                let (units, left) = match group.split_once('@') {
                    None => (group, None),
                    Some((units, left)) => (units, Some(number(left)?)),
                };
                let (count, unit) = one_piece(units)?;
                Action::March {
                    unit,
                    count,
                    from: self.region()?,
                    to: self.region()?,
                    left,
                }
            }
            "battle" => {
                let (count, unit) = one_kind(self.word("units such as 2L")?)?;
                let region = self.region()?;
                let name = self.word("a nation")?;
                let against = self.game.nation_by_name(name);
                Action::Battle {
                    unit,
                    count,
                    region,
                    against: against.ok_or_else(|| format!("no nation {name:?} plays"))?,
                }
            }
            "answer" => Action::AnswerBattle {
                count: number(self.word("a number")?)?,
            },
            "conquer" => {
                let region = self.region()?;
                let [legions, galleys] = units(self.word("units such as 2L1G")?)?;
                let give_up = match self.words.next() {
                    None => None,
                    Some("giving") => Some(self.region()?),
                    Some(other) => return Err(format!("{other:?} is not \"giving\"")),
                };
                Action::Conquer {
                    region,
                    legions,
                    galleys,
                    give_up,
                }
            }
            "found" => {
                let region = self.region()?;
                let mut words = self.words.clone();
                let resource = words.next().and_then(|word| Resource::from_str(word).ok());
                if resource.is_some() {
                    self.words = words;
                }
                Action::Found {
                    region,
                    resource,
                    pay: self.pay()?,
                }
            }
            "trade" => Action::Trade {
                give: chips(self.word("chips such as m1g1")?)?,
                take: {
                    let take = chips(self.word("chips such as i1")?)?;
                    Gain::from_parts(take.chips(), take.coins)
                },
            },
            "chip" => Action::ChooseChip {
                resource: self.named("a resource")?,
            },
            "take" => Action::ChoosePersonage {
                personage: self.named("a personage")?,
            },
            "city" => Action::ChooseCity {
                region: self.region()?,
            },
            "card" => Action::TakeCard { card: self.card()? },
            "play" => {
                let card = self.card()?;
                let mut words = self.words.clone();
                let region = words.next().and_then(|word| self.game.board.region(word));
                if region.is_some() {
                    self.words = words;
                }
                let unit = match self.words.clone().next() {
                    None => None,
                    Some(_) => Some(self.unit()?),
                };
                Action::PlayCard { card, region, unit }
            }
            "pass" => Action::Pass,
            "end" => Action::EndTurn,
            "resign" => Action::Resign,
            other => return Err(format!("there is no action {other:?}")),
        };
        Ok(action)
    }

    fn word(&mut self, expected: &str) -> Result<&'a str, String> {
        self.words
            .next()
            .ok_or_else(|| format!("{expected} is missing"))
    }

    /// Consumes the next word if it is this one.
    fn is_next(&mut self, word: &str) -> bool {
        let mut words = self.words.clone();
        let is_next = words.next() == Some(word);
        if is_next {
            self.words = words;
        }
        is_next
    }

    fn named<T: FromStr>(&mut self, expected: &str) -> Result<T, String> {
        let word = self.word(expected)?;
        word.parse()
            .map_err(|_| format!("{word:?} is not {expected}"))
    }

    fn region(&mut self) -> Result<Region, String> {
        let name = self.word("a region")?;
        let region = self.game.board.region(name);
        region.ok_or_else(|| format!("the board has no region {name:?}"))
    }

    fn card(&mut self) -> Result<Card, String> {
        let name = self.word("an event card")?;
        let card = self.game.ruleset.card_by_name(name);
        card.ok_or_else(|| format!("there is no event card {name:?}"))
    }

    fn unit(&mut self) -> Result<Unit, String> {
        let word = self.word("L or G")?;
        match word {
            "L" => Ok(Unit::Legion),
            "G" => Ok(Unit::Galley),
            _ => Err(format!("{word:?} is not a unit: use L or G")),
        }
    }

    fn piece(&mut self) -> Result<Piece, String> {
        let word = self.word("L or G")?;
        let named = |piece: &&Piece| word.chars().eq([piece.letter()]);
        let piece = Piece::ALL.iter().find(named).copied();
        piece.ok_or_else(|| format!("{word:?} is not a unit: use L, G, C or A"))
    }

    fn pay(&mut self) -> Result<Option<Payment>, String> {
        self.words.next().map(chips).transpose()
    }
}

fn number(text: &str) -> Result<u8, String> {
    let canonical = text == "0" || !text.starts_with(['0', '+']);
    let number = text.parse().ok().filter(|_| canonical);
    number.ok_or_else(|| format!("{text:?} is not a number from 0 to 255"))
}

/// Parses numbers with a letter before or after each, every letter at most once and in the given order.
fn lettered<const N: usize>(
    text: &str,
    letters: [char; N],
    letter_first: bool,
) -> Result<[u8; N], String> {
    let fail = || format!("{text:?} must be numbers with the letters {letters:?}, in this order");
    let mut counts = [0; N];
    if text == "0" {
        return Ok(counts);
    }
    let mut next = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let digits_from = usize::from(letter_first);
        if !rest.is_char_boundary(digits_from) {
            return Err(fail());
        }
        let digits = rest[digits_from..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len() - digits_from);
        let after_digits = digits_from + digits;
        let letter = match letter_first {
            true => rest.chars().next(),
            false => rest[after_digits..].chars().next(),
        };
        let index = letters[next..].iter().position(|l| Some(*l) == letter);
        let index = next + index.ok_or_else(fail)?;
        counts[index] = number(&rest[digits_from..after_digits])?;
        next = index + 1;
        rest = &rest[after_digits + usize::from(!letter_first)..];
    }
    if counts == [0; N] {
        Err(fail())
    } else {
        Ok(counts)
    }
}

fn chips(text: &str) -> Result<Payment, String> {
    let [marble, iron, gold, coins] = lettered(text, ['m', 'i', 'g', 'c'], true)?;
    Ok(Payment::from_parts([marble, iron, gold], coins))
}

fn units(text: &str) -> Result<[u8; Unit::COUNT], String> {
    lettered(text, ['L', 'G'], false)
}

fn one_kind(text: &str) -> Result<(u8, Unit), String> {
    match units(text)? {
        [count, 0] if count > 0 => Ok((count, Unit::Legion)),
        [0, count] if count > 0 => Ok((count, Unit::Galley)),
        _ => Err(format!("{text:?} must be units of one kind, such as 2L")),
    }
}

/// Parses a number of units of one kind, or a special unit.
fn one_piece(text: &str) -> Result<(u8, Piece), String> {
    let counts: [u8; Piece::COUNT] = lettered(text, ['L', 'G', 'C', 'A'], false)?;
    let mut named = Piece::ALL.iter().zip(counts).filter(|(_, n)| *n > 0);
    match (named.next(), named.next()) {
        (Some((piece, count)), None) => Ok((count, *piece)),
        _ => Err(format!("{text:?} must be units of one kind, such as 2L")),
    }
}
