//! Setups and positions on the boards of Antike II.

use engine::setup::Setup;
use engine::words::Personage;

use crate::rules::table::*;

/// Mare Nostrum with 3 to 6 nations; the Romans start and the Greeks are last.
pub fn mare_nostrum(nations: usize) -> Setup {
    let names: &[&[&str]] = match nations {
        3 => &[&["romans"], &["germanic_tribes"], &["greeks"]],
        4 => &[
            &["romans"],
            &["germanic_tribes"],
            &["phoenicians"],
            &["greeks"],
        ],
        5 => &[
            &["romans"],
            &["germanic_tribes"],
            &["phoenicians"],
            &["carthaginians"],
            &["greeks"],
        ],
        6 => &[
            &["romans"],
            &["germanic_tribes"],
            &["phoenicians"],
            &["carthaginians"],
            &["persians"],
            &["greeks"],
        ],
        _ => panic!("{nations} nations do not play"),
    };
    started_by(setup("antike-ii-mare-nostrum", names), "romans")
}

fn started_by(mut setup: Setup, nation: &str) -> Setup {
    setup.first = Some(nation.into());
    setup
}

/// Four nations on Mare Nostrum with nothing but their start cities; the Romans move.
pub fn west() -> Position {
    Position::of(mare_nostrum(4))
}

/// As [`west`], on the Orient board; the Greeks move.
pub fn orient() -> Position {
    let seats: &[&[&str]] = &[&["greeks"], &["persians"], &["arabs"], &["phoenicians"]];
    Position::of(started_by(setup("antike-ii-orient", seats), "greeks"))
}

/// A position in which no city's defence gains by few personages: each nation has three.
pub fn without_weak_nations(mut position: Position) -> Position {
    let names: Vec<String> = position.body.nations.keys().cloned().collect();
    let kinds = [Personage::King, Personage::Scholar, Personage::Navigator];
    for name in &names {
        for kind in kinds {
            position = position.personages(name, kind, 1);
        }
    }
    position
}

impl Position {
    /// The regions with a neutral temple, in place of the board's.
    pub fn neutral_temples(mut self, regions: &[&str]) -> Position {
        let all = self.body.regions.values_mut();
        all.for_each(|at| at.neutral_temple = false);
        for region in regions {
            let at = self.body.regions.entry((*region).into()).or_default();
            at.neutral_temple = true;
        }
        self
    }

    /// Gives a nation the Bellona card.
    pub fn bellona(mut self, nation: &str) -> Position {
        self.body.bellona = Some(nation.into());
        self
    }
}
