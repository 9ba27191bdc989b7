//! The strip over a whole game: the points of each nation, from the first event to the last.

use std::fmt::Write;

use engine::play::Effect;
use engine::words::Personage;
use maud::{Markup, html};

use crate::games::bodies::EventBody;
use crate::site::badge::Nations;
use crate::site::log::undone;

/// A change of points: the number of the event, and the points after it.
type Steps = Vec<(u64, u32)>;

/// The points of a nation after each event that changed them; `worth` is that of a personage.
fn steps(
    events: &[EventBody],
    undone: &[bool],
    nation: &str,
    worth: &dyn Fn(Personage) -> u32,
) -> Steps {
    let mut steps = vec![(0, 0)];
    let mut points = 0;
    for (event, _) in events.iter().zip(undone).filter(|(_, undone)| !**undone) {
        let won = event.effects.iter().filter_map(|effect| match effect {
            Effect::PersonageWon {
                nation: own,
                personage,
                ..
            } if own == nation => Some(worth(*personage)),
            _ => None,
        });
        let won: u32 = won.sum();
        if won > 0 {
            points += won;
            steps.push((event.seq, points));
        }
    }
    steps
}

/// The steps as the outline of an area, in a box as wide as the last event and as high as the goal.
fn outline(steps: &Steps, last: u64, goal: u32) -> String {
    let mut path = format!("M0 {goal}");
    for (seq, points) in steps {
        // Writing to a String cannot fail.
        let _ = write!(path, "H{seq}V{}", goal.saturating_sub(*points));
    }
    let _ = write!(path, "H{last}V{goal}z");
    path
}

/// The number of the first event of each round, and the round.
fn rounds(events: &[EventBody], undone: &[bool]) -> Vec<(u64, u32)> {
    let kept = events.iter().zip(undone).filter(|(_, undone)| !**undone);
    let began = kept.flat_map(|(event, _)| {
        let effects = event.effects.iter();
        effects.filter_map(|effect| match effect {
            Effect::RoundBegan { round } => Some((event.seq, *round)),
            _ => None,
        })
    });
    began.collect()
}

/// The strip of a game from all its events. `goal` is the points to win.
pub fn strip(
    events: &[EventBody],
    nations: &Nations,
    goal: u8,
    worth: &dyn Fn(Personage) -> u32,
) -> Markup {
    let texts = nations.texts();
    let undone = undone(events);
    let last = events.last().map_or(1, |event| event.seq.max(1));
    let goal = u32::from(goal.max(1));
    let rounds = rounds(events, &undone);
    let ends = rounds.iter().skip(1).map(|(seq, _)| *seq).chain([last]);
    let spans: Vec<(u64, u64, u32)> = rounds
        .iter()
        .zip(ends)
        .map(|((from, round), to)| (*from, to, *round))
        .collect();
    html! {
        div class="strip" id="strip" data-last=(last) {
            @for nation in nations.names() {
                @let steps = steps(events, &undone, nation, worth);
                @let points = steps.last().map_or(0, |(_, points)| *points);
                div class="row" {
                    span class="who" { (nations.sign(nation)) span class="visually-hidden" { (texts.nation(nation)) } }
                    svg viewBox={ "0 0 " (last) " " (goal) } preserveAspectRatio="none" aria-hidden="true" {
                        @for (from, _, _) in &spans {
                            path d={ "M" (from) " 0V" (goal) } class="round-line" vector-effect="non-scaling-stroke" {}
                        }
                        path d=(outline(&steps, last, goal)) fill=(nations.colour(nation)) {}
                    }
                    span class="score" { (points) span class="visually-hidden" { " " (texts.text("points")) } }
                }
            }
            div class="rounds" aria-hidden="true" {
                svg viewBox={ "0 0 " (last) " 1" } preserveAspectRatio="none" {
                    @for (from, to, round) in &spans {
                        a href={ "?at=" (from) "#" (from) } tabindex="-1" {
                            rect x=(from) y="0" width=(to.saturating_sub(*from)) height="1" { title { (texts.round(*round)) } }
                        }
                    }
                    path class="now" id="strip-now" d="M0 0V1" vector-effect="non-scaling-stroke" {}
                }
            }
        }
    }
}
