//! What changes from game to game and from round to round, as lines.

use drawing::{Curve, Curves, Panel, Spot, Upwards, titled};

use crate::games::{LeagueRounds, RatingChangeBody, SkillBody};

/// How many members a picture of standings shows, the best ones.
pub const MEMBERS: usize = 32;

/// What games did to a rating, the last first, as a picture: the rating after each of them, with twice its
/// uncertainty to both sides. `all` is how many games the rating is made of.
pub fn rating_curves(
    player: &str,
    edition: Option<&str>,
    all: u64,
    last: &[RatingChangeBody],
) -> Curves {
    let first = all.saturating_sub(last.len() as u64);
    let spot = |along: u64, skill: SkillBody| Spot {
        along: along as f64,
        number: skill.rating,
        span: Some((
            skill.rating - 2.0 * skill.uncertainty,
            skill.rating + 2.0 * skill.uncertainty,
        )),
    };
    let before = last.last().map(|change| spot(first, change.before));
    let after = last.iter().rev().zip(first + 1..);
    let after = after.map(|(change, along)| spot(along, change.after));
    let of = edition.map_or_else(|| "all editions".to_owned(), titled);
    let line = Curve {
        label: player.to_owned(),
        spots: before.into_iter().chain(after).collect(),
    };
    let panel = Panel {
        title: String::new(),
        along: "rated game".to_owned(),
        upwards: Upwards::Numbers,
        lines: vec![line],
        left_out: 0,
    };
    let until = last
        .first()
        .map(|change| change.at.strftime("%Y-%m-%d %H:%M UTC"));
    Curves {
        title: format!("Rating of {player}, {of}"),
        about: "The rating after each rated game, and twice its uncertainty to both sides."
            .to_owned(),
        panels: vec![panel],
        notes: until
            .map(|until| format!("{all} games, the last on {until}"))
            .into_iter()
            .collect(),
        bare: false,
    }
}

/// The places of members after each round of a season as a picture: a line each, in the order in which they are now.
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
        along: "round".to_owned(),
        upwards: Upwards::Places,
        lines: lines.collect(),
        left_out: league.left_out,
    };
    let at = league.at.strftime("%Y-%m-%d %H:%M UTC");
    Curves {
        title: format!("{}, season {}", league.name, league.season),
        about: "The place of each member after each round, the first at the top.".to_owned(),
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
        let told = |line: &Curve| {
            let spots = line.spots.iter().map(|spot| (spot.along, spot.number));
            (line.label.clone(), spots.collect::<Vec<_>>())
        };
        let lines: Vec<_> = curves.panels[0].lines.iter().map(told).collect();
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

    #[test]
    fn a_rating_begins_before_the_first_game_that_is_drawn() {
        let skill = |rating| SkillBody {
            rating,
            uncertainty: 2.0,
        };
        let change = |before, after| RatingChangeBody {
            game: None,
            league: None,
            table: None,
            at: jiff::Timestamp::UNIX_EPOCH,
            place: 1.0,
            players: 2,
            before: skill(before),
            after: skill(after),
        };
        let last = [change(27.0, 26.0), change(25.0, 27.0)];
        let curves = rating_curves("dido", Some("antike_duellum"), 12, &last);
        assert_eq!(curves.title, "Rating of dido, Antike Duellum");
        let spots = &curves.panels[0].lines[0].spots;
        let told: Vec<_> = spots
            .iter()
            .map(|spot| (spot.along, spot.number, spot.span))
            .collect();
        let expected = [
            (10.0, 25.0, Some((21.0, 29.0))),
            (11.0, 27.0, Some((23.0, 31.0))),
            (12.0, 26.0, Some((22.0, 30.0))),
        ];
        assert_eq!(told, expected);
        let nothing = rating_curves("dido", None, 0, &[]);
        assert!(nothing.panels[0].lines[0].spots.is_empty());
    }
}
