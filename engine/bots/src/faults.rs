//! PlayFaults in recorded games: missed wins, marches back and forth, and trades without use.

use engine::ids::Region;
use engine::play::{Action, Game};
use engine::state::State;
use engine::words::Piece;

use crate::search::win::winning_turn;
use crate::{PlayedGame, PlayedTurn};

/// Numbers of turns of recorded games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayFaults {
    /// All turns.
    pub turns: u32,
    /// Turns in which the nation was one point short of the goal and did not win.
    pub one_short: u32,
    /// The numbers of the turns in which the nation could have won whatever others answered, and did not.
    pub missed_wins: Vec<u32>,
    /// Turns in which units only went back where they came from.
    ///
    /// They march over a border that units of the same kind crossed the other way in this turn or the nation's maneuver
    /// before it, and no battle, conquest or city comes of either.
    pub back_and_forth: u32,
    /// Trades without which the rest of the turn would have been legal.
    pub idle_trades: u32,
}

/// One border that units of a kind cross.
type Crossing = (Piece, Region, Region);

impl PlayFaults {
    /// Counts the faults of a game.
    pub fn count(played: &PlayedGame) -> PlayFaults {
        let game = &played.game;
        let mut faults = PlayFaults::default();
        let mut before: Vec<Vec<Crossing>> = vec![Vec::new(); game.nations.len()];
        for (index, turn) in played.turns.iter().enumerate() {
            let after = played.turns.get(index + 1).map(|next| &next.state);
            faults.turns += 1;
            faults.add_win(game, turn, after.is_none());
            faults.idle_trades += idle_trades(game, turn);
            let crossings = crossings(turn);
            if crossings.is_empty() {
                continue;
            }
            let last = &mut before[turn.nation.index()];
            let achieves = turn.steps.iter().any(|(_, action)| achieves(action));
            let back = |(unit, from, to): &Crossing| (*unit, *to, *from);
            let returns =
                |one: &Crossing| last.contains(&back(one)) || crossings.contains(&back(one));
            faults.back_and_forth += u32::from(!achieves && crossings.iter().any(returns));
            last.clear();
            if !achieves {
                last.extend(crossings);
            }
        }
        faults
    }

    /// Adds the faults of other games.
    pub fn add(&mut self, other: &PlayFaults) {
        self.turns += other.turns;
        self.one_short += other.one_short;
        self.missed_wins.extend(&other.missed_wins);
        self.back_and_forth += other.back_and_forth;
        self.idle_trades += other.idle_trades;
    }

    fn add_win(&mut self, game: &Game, turn: &PlayedTurn, last: bool) {
        let end = last.then(|| carry_out(game, turn, None)).flatten();
        let seat = usize::from(game.seat_of(turn.nation));
        let outcome = end.and_then(|end| end.outcome);
        if outcome.is_some_and(|outcome| outcome.ranks[seat] == 1) {
            return;
        }
        let short = game.points(&turn.state, turn.nation) + 1 == u32::from(game.rules.goal);
        self.one_short += u32::from(short);
        if winning_turn(game, &turn.state).is_some() {
            self.missed_wins.push(turn.turn);
        }
    }
}

fn achieves(action: &Action) -> bool {
    match action {
        Action::AnswerBattle { count } => *count > 0,
        Action::Battle { .. } | Action::Conquer { .. } | Action::Found { .. } => true,
        _ => false,
    }
}

fn crossings(turn: &PlayedTurn) -> Vec<Crossing> {
    let crossing = |(_, action): &(_, Action)| match *action {
        Action::March { unit, from, to, .. } => Some((unit, from, to)),
        _ => None,
    };
    turn.steps.iter().filter_map(crossing).collect()
}

fn idle_trades(game: &Game, turn: &PlayedTurn) -> u32 {
    let mut omitted = Vec::new();
    for (index, (_, action)) in turn.steps.iter().enumerate().rev() {
        if matches!(action, Action::Trade { .. }) {
            omitted.push(index);
            if carry_out(game, turn, Some(&omitted)).is_none() {
                omitted.pop();
            }
        }
    }
    omitted.len() as u32
}

/// Returns the position after a turn without some of its steps, if the others are legal.
fn carry_out(game: &Game, turn: &PlayedTurn, omitted: Option<&[usize]>) -> Option<State> {
    let mut state = turn.state.clone();
    for (index, (nation, action)) in turn.steps.iter().enumerate() {
        if !omitted.is_some_and(|omitted| omitted.contains(&index)) {
            let applied = game.apply(&mut state, *nation, *action, &mut Vec::new());
            applied.ok()?;
        }
    }
    Some(state)
}
