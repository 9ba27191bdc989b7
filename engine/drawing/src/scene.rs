//! The content of a picture, collected from public information: a board, or a game's view.

use charts::{titled, words};
use engine::content::BoardFile;
use engine::forms::{BankBody, CardsBody, CityBody, NationBody, UnitsBody, View};
use engine::ids::Region;
use engine::play::Game;
use engine::words::{Personage, Phase, Resource, SpecialUnit};

use crate::palette::{Badge, badges};

/// A nation.
#[derive(Debug)]
pub struct Nation<'a> {
    /// Name on the wire.
    pub id: &'a str,
    /// Its colour and letters.
    pub badge: Badge,
    /// Its possessions; `None` on an empty board.
    pub body: Option<&'a NationBody>,
    /// Its points.
    pub points: u32,
    /// Its cities and temples.
    pub cities: usize,
    /// How many of its cities have a temple.
    pub temples: usize,
    /// Its start cities, on an empty board.
    pub start: Vec<(Resource, &'a str)>,
}

impl Nation<'_> {
    /// Its name for people.
    pub fn name(&self) -> String {
        words(self.id)
    }
}

/// A region.
#[derive(Debug, Default)]
pub struct SceneRegion<'a> {
    /// Its city, with the index of the owner.
    pub city: Option<(usize, &'a CityBody)>,
    /// The index of the nation that starts there, and the resource, on an empty board.
    pub start: Option<(usize, Resource)>,
    /// Whether it has a temple without owner.
    pub neutral_temple: bool,
    /// Units by nation.
    pub units: Vec<(usize, UnitsBody)>,
    /// Special units by nation.
    pub special: Vec<(usize, SpecialUnit)>,
    /// Whether it is highlighted.
    pub highlighted: bool,
}

/// The content of a picture.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The board.
    pub board: &'a BoardFile,
    /// The edition, as a name for people.
    pub edition: String,
    /// The nations in turn order.
    pub nations: Vec<Nation<'a>>,
    /// The regions in the board's order.
    pub places: Vec<SceneRegion<'a>>,
    /// The position; `None` on an empty board.
    pub view: Option<&'a View>,
    /// The number of nations for which an empty board shows start cities and neutral temples.
    pub most: usize,
}

impl<'a> Scene<'a> {
    /// Returns an empty board with the start cities of its largest number of nations.
    pub fn board(board: &'a BoardFile) -> Scene<'a> {
        let most = board.starts.iter().next_back();
        let (count, starts) = most.map_or((0, None), |(count, starts)| (*count, Some(starts)));
        let names: Vec<&str> = starts
            .into_iter()
            .flatten()
            .map(|start| start.0.as_str())
            .collect();
        let badges = badges(&names);
        let nations = names.iter().zip(badges).map(|(id, badge)| {
            let start = starts.and_then(|starts| starts.get(*id));
            let cities = start.map(|cities| {
                [
                    (Resource::Marble, cities.marble.as_str()),
                    (Resource::Iron, cities.iron.as_str()),
                    (Resource::Gold, cities.gold.as_str()),
                ]
            });
            Nation {
                id,
                badge,
                body: None,
                points: 0,
                cities: 0,
                temples: 0,
                start: cities.into_iter().flatten().collect(),
            }
        });
        let nations: Vec<Nation<'_>> = nations.collect();
        let neutral = board.neutral_temples.get(&count);
        let places = board.regions.iter().map(|region| SceneRegion {
            start: nations.iter().enumerate().find_map(|(index, nation)| {
                let mut cities = nation.start.iter();
                let city = cities.find(|(_, city)| *city == region.id)?;
                Some((index, city.0))
            }),
            neutral_temple: neutral.is_some_and(|regions| regions.contains(&region.id)),
            ..SceneRegion::default()
        });
        Scene {
            board,
            edition: titled(&board.edition),
            places: places.collect(),
            nations,
            view: None,
            most: usize::from(count),
        }
    }

    /// Returns a position of a game. It has only what the view contains.
    pub fn position(game: &'a Game, view: &'a View) -> Scene<'a> {
        let board = &game.board.data;
        let names: Vec<&str> = game.nations.iter().map(|one| one.name.as_str()).collect();
        let nation = |(id, badge): (&&'a str, Badge)| {
            let own = |city: &&CityBody| city.nation == **id;
            let all = view
                .regions
                .values()
                .filter_map(|region| region.city.as_ref());
            let cities: Vec<&CityBody> = all.filter(own).collect();
            let body = view.nations.get(*id);
            Nation {
                id,
                badge,
                body,
                points: body.map_or(0, |body| points(game, body)),
                cities: cities.len(),
                temples: cities.iter().filter(|city| city.temple).count(),
                start: Vec::new(),
            }
        };
        let nations: Vec<Nation<'_>> = names.iter().zip(badges(&names)).map(nation).collect();
        let number = |id: &str| names.iter().position(|name| *name == id);
        let place = |region: &'a engine::content::RegionData| {
            let special = nations.iter().enumerate().filter_map(|(index, nation)| {
                let special = nation.body?.special_unit.as_ref()?;
                let here = special.region.as_deref() == Some(region.id.as_str());
                here.then_some(index).zip(special.unit)
            });
            let mut place = SceneRegion {
                special: special.collect(),
                ..SceneRegion::default()
            };
            if let Some(body) = view.regions.get(&region.id) {
                let city = body.city.as_ref();
                place.city = city.and_then(|city| Some((number(&city.nation)?, city)));
                place.neutral_temple = body.neutral_temple;
                let units = body.units.iter();
                place.units = units
                    .filter_map(|(nation, units)| Some((number(nation)?, *units)))
                    .collect();
                place.units.sort_by_key(|(nation, _)| *nation);
            }
            place
        };
        Scene {
            board,
            edition: game.ruleset.data.name.clone(),
            places: board.regions.iter().map(place).collect(),
            nations,
            view: Some(view),
            most: 0,
        }
    }

    /// Highlights a region.
    pub fn highlight(&mut self, region: Region) {
        if let Some(place) = self.places.get_mut(region.index()) {
            place.highlighted = true;
        }
    }

    /// The contents of the bank.
    pub fn bank(&self) -> Option<&BankBody> {
        Some(&self.view?.bank)
    }

    /// The event cards.
    pub fn cards(&self) -> Option<&CardsBody> {
        self.view?.cards.as_ref()
    }

    /// Describes the position in one line.
    pub fn moment(&self) -> String {
        let Some(view) = self.view else {
            return match self.most {
                0 => "Empty board".to_owned(),
                most => format!("Empty board · start cities of {most} nations"),
            };
        };
        let goal = view.goal;
        match view.round {
            0 => format!(
                "Set-up · {} begin · {goal} points win",
                words(&view.to_move)
            ),
            round => format!(
                "Round {round} · turn {} · {}: {} · {goal} points win",
                view.turn,
                words(&view.to_move),
                self.phase_in_words()
            ),
        }
    }

    /// Describes the phase of the current turn. A view does not contain whether the game is over.
    pub fn phase_in_words(&self) -> &'static str {
        match self.view.map(|view| view.phase) {
            Some(Phase::End) => "end of turn",
            _ => "to move",
        }
    }

    /// Describes the picture in words.
    pub fn description(&self) -> String {
        let mut text = format!("{}, {}: {}.", self.board.name, self.edition, self.moment());
        for nation in &self.nations {
            let name = nation.name();
            let part = match nation.body {
                None => {
                    let cities = nation.start.iter();
                    let cities = cities.map(|(kind, id)| format!("{} {id}", kind.name()));
                    format!(" {name}: {}.", cities.collect::<Vec<_>>().join(", "))
                }
                Some(body) => format!(
                    " {name}: {}, {}, {}, {} marble, {} iron, {} gold, {}{}.",
                    with_noun(nation.points as usize, "point", "points"),
                    with_noun(nation.cities, "city", "cities"),
                    with_noun(nation.temples, "temple", "temples"),
                    body.marble,
                    body.iron,
                    body.gold,
                    with_noun(usize::from(body.coins), "coin", "coins"),
                    if body.resigned { ", resigned" } else { "" }
                ),
            };
            text.push_str(&part);
        }
        text
    }

    /// Describes the contents of a region.
    pub fn place_in_words(&self, index: usize) -> String {
        let (region, place) = (&self.board.regions[index], &self.places[index]);
        let mut parts = Vec::new();
        match place.city {
            Some((nation, city)) => {
                let mut text = format!("{} city", self.nations[nation].name());
                text.push_str(&format!(" for {}", city.resource.name()));
                for (has, noun) in [(city.temple, "temple"), (city.wall, "wall")] {
                    if has {
                        text.push_str(&format!(", {noun}"));
                    }
                }
                parts.push(text);
            }
            None => parts.push(match region.site {
                engine::content::Site::None => "sea".to_owned(),
                engine::content::Site::Any => "site for any resource".to_owned(),
                site => site.resource().map_or_else(String::new, |resource| {
                    format!("site for {}", resource.name())
                }),
            }),
        }
        if let Some((nation, _)) = place.start {
            parts.push(format!("start of the {}", self.nations[nation].name()));
        }
        if place.neutral_temple {
            parts.push("neutral temple".to_owned());
        }
        for (nation, units) in &place.units {
            let name = self.nations[*nation].name();
            for (count, one, more) in [
                (units.legions, "legion", "legions"),
                (units.galleys, "galley", "galleys"),
            ] {
                if count > 0 {
                    parts.push(format!(
                        "{name} {}",
                        with_noun(usize::from(count), one, more)
                    ));
                }
            }
        }
        for (nation, special) in &place.special {
            parts.push(format!(
                "{} {}",
                self.nations[*nation].name(),
                special.name()
            ));
        }
        format!("{}: {}", region.name, parts.join("; "))
    }
}

/// A number with its noun: `1 city`, `2 cities`.
pub fn with_noun(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Points: the nation's personages, each by its worth.
fn points(game: &Game, body: &NationBody) -> u32 {
    let worth = |kind: &Personage| u32::from(game.rules.points[kind.index()]);
    let owned = body.personages.iter();
    owned
        .map(|(kind, count)| u32::from(*count) * worth(kind))
        .sum()
}
