//! Ratings over time as curves.

use charts::{Along, Curve, Curves, Panel, Spot, Upwards, titled};

use crate::ratings::model::{RatingChangeBody, SkillBody};

/// The number of games in a picture of a rating, the last ones.
pub const DRAWN: usize = 1_000;

/// Returns curves of a rating after each of the last games, with twice its uncertainty on both sides.
///
/// `last` has the latest change first; `all` is the number of games of the rating.
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
        along: Along::Numbers("rated game"),
        upwards: Upwards::Numbers,
        lines: vec![line],
        left_out: 0,
    };
    let until = last
        .first()
        .map(|change| change.at.strftime("%Y-%m-%d %H:%M UTC"));
    Curves {
        title: format!("Rating of {player}, {of}"),
        about: "The rating after each rated game, with twice its uncertainty on both sides."
            .to_owned(),
        panels: vec![panel],
        notes: until
            .map(|until| format!("{all} games, the last on {until}"))
            .into_iter()
            .collect(),
        bare: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_begin_before_the_first_drawn_game() {
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
        let points: Vec<_> = spots
            .iter()
            .map(|spot| (spot.along, spot.number, spot.span))
            .collect();
        let expected = [
            (10.0, 25.0, Some((21.0, 29.0))),
            (11.0, 27.0, Some((23.0, 31.0))),
            (12.0, 26.0, Some((22.0, 30.0))),
        ];
        assert_eq!(points, expected);
        let nothing = rating_curves("dido", None, 0, &[]);
        assert!(nothing.panels[0].lines[0].spots.is_empty());
    }
}
