//! Draws the ranks of members after each round as curves.

use charts::{Along, Curve, Curves, Panel, Spot, Upwards};

use crate::leagues::model::LeagueRounds;

/// The number of members in a picture of standings, the best ones.
pub const MEMBERS: usize = 32;

/// Returns a curve of the ranks of each member after each round of a season, in the current order.
pub fn place_curves(league: &LeagueRounds) -> Curves {
    let lines = league.members.iter().enumerate().map(|(index, name)| {
        let ranks = league.rounds.iter();
        let spots = ranks.filter_map(|(round, ranks)| {
            Some(Spot {
                along: f64::from(*round),
                number: f64::from(ranks[index]?),
                span: None,
            })
        });
        let now = league.rounds.last().and_then(|(_, ranks)| ranks[index]);
        Curve {
            label: format!("{}. {name}", now.unwrap_or_default()),
            spots: spots.collect(),
        }
    });
    let panel = Panel {
        title: String::new(),
        along: Along::Numbers("round"),
        upwards: Upwards::Places,
        lines: lines.collect(),
        left_out: league.left_out,
    };
    let at = league.at.strftime("%Y-%m-%d %H:%M UTC");
    Curves {
        title: format!("{}, season {}", league.name, league.season),
        about: "The rank of each member after each round; rank 1 is at the top.".to_owned(),
        panels: vec![panel],
        notes: vec![format!("as of event {}, {at}", league.seq)],
        bare: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_members_through_rounds() {
        let league = LeagueRounds {
            name: "Spring".to_owned(),
            season: 2,
            seq: 7,
            at: jiff::Timestamp::UNIX_EPOCH,
            members: ["hanno", "dido", "mago"].map(str::to_owned).to_vec(),
            left_out: 1,
            rounds: vec![
                (1, vec![Some(2), Some(1), None]),
                (3, vec![Some(1), Some(2), Some(2)]),
            ],
        };
        let curves = place_curves(&league);
        assert_eq!(curves.panels[0].left_out, 1);
        let points = |line: &Curve| {
            let spots = line.spots.iter().map(|spot| (spot.along, spot.number));
            (line.label.clone(), spots.collect::<Vec<_>>())
        };
        let lines: Vec<_> = curves.panels[0].lines.iter().map(points).collect();
        let expected = [
            ("1. hanno", vec![(1.0, 2.0), (3.0, 1.0)]),
            ("2. dido", vec![(1.0, 1.0), (3.0, 2.0)]),
            ("2. mago", vec![(3.0, 2.0)]),
        ];
        assert_eq!(
            lines,
            expected.map(|(label, spots)| (label.to_owned(), spots))
        );
    }
}
