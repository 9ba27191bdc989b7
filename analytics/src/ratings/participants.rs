//! The players whom a game compares.

use engine::forms::ResultBody;
use engine::setup::{Player, PlayerKind};

/// A player whom a game compares with others of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedPlayer {
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// [`PlayerKind::Account`] or [`PlayerKind::Bot`].
    pub kind: PlayerKind,
    /// The mean rank of the player's seats, in sixtieths: whole for up to six seats.
    pub place: u32,
}

/// The kinds of players that are rated, each separately.
pub const KINDS: [PlayerKind; 2] = [PlayerKind::Account, PlayerKind::Bot];

/// The number of parts of a rank.
pub const PLACES: u32 = 60;

/// Returns to whom each seat counts: the players at the start of a game, not their substitutes.
/// So no player avoids a loss by giving up a seat, or takes over a win. `changes` are the changes of seats since the
/// set-up, in order.
pub fn players_at_start(
    mut players: Vec<Player>,
    changes: impl IntoIterator<Item = (u8, Player)>,
) -> Vec<(u8, Player)> {
    for (seat, player) in changes {
        // The game starts when no seat is open.
        if !players.contains(&Player::Open) {
            break;
        }
        if let Some(seated) = players.get_mut(usize::from(seat)) {
            *seated = player;
        }
    }
    (0..).zip(players).collect()
}

/// Returns the players of a result with their ranks.
pub fn ranked(result: &ResultBody, credited: Vec<(u8, Player)>) -> Vec<(Player, u8)> {
    let rank = |(seat, player)| {
        let own = result.ranks.iter().find(|rank| rank.seat == seat)?;
        Some((player, own.rank))
    };
    credited.into_iter().filter_map(rank).collect()
}

/// Returns the players of a kind whom a result compares, in the order of their first seats.
/// Returns none if there are fewer than two. Guests and placeholders are never included.
pub fn participants(ranked: &[(Player, u8)], kind: PlayerKind) -> Vec<RankedPlayer> {
    // Player, sum of ranks, seats.
    let mut found: Vec<(&str, u32, u32)> = Vec::new();
    for (player, rank) in ranked.iter().filter(|(player, _)| player.kind() == kind) {
        let Some(name) = player.actor() else {
            continue;
        };
        let rank = u32::from(*rank);
        match found.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, ranks, seats)) => (*ranks, *seats) = (*ranks + rank, *seats + 1),
            None => found.push((name, rank, 1)),
        }
    }
    if found.len() < 2 {
        return Vec::new();
    }
    let participant = |(player, ranks, seats): (&str, u32, u32)| RankedPlayer {
        player: player.to_owned(),
        kind,
        place: PLACES * ranks / seats,
    };
    found.into_iter().map(participant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(name: &str) -> Player {
        Player::Bot {
            name: name.to_owned(),
        }
    }

    fn person(id: &str) -> Player {
        Player::Person {
            id: id.to_owned(),
            name: None,
        }
    }

    const DIDO: &str = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77";
    const HANNO: &str = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b78";

    fn places(players: &[Player], ranks: &[u8], kind: PlayerKind) -> Vec<(String, u32)> {
        let ranked: Vec<(Player, u8)> = (players.iter().cloned())
            .zip(ranks.iter().copied())
            .collect();
        participants(&ranked, kind)
            .into_iter()
            .map(|participant| (participant.player, participant.place))
            .collect()
    }

    #[test]
    fn kinds_are_compared_separately() {
        let players = [person(DIDO), bot("greedy"), person(HANNO), bot("random")];
        let ranks = [2, 1, 3, 3];
        assert_eq!(
            places(&players, &ranks, PlayerKind::Account),
            [(DIDO.to_owned(), 120), (HANNO.to_owned(), 180)]
        );
        assert_eq!(
            places(&players, &ranks, PlayerKind::Bot),
            [("greedy".to_owned(), 60), ("random".to_owned(), 180)]
        );
    }

    #[test]
    fn single_players_and_guests_are_not_compared() {
        let guest = person("guest:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b79");
        let placeholder = person("placeholder:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b7a");
        let players = [person(DIDO), guest, placeholder, person("dido of old")];
        for kind in KINDS {
            assert!(places(&players, &[1, 2, 3, 4], kind).is_empty());
        }
        let alone = [bot("greedy"), bot("greedy"), person(DIDO)];
        assert!(places(&alone, &[1, 2, 3], PlayerKind::Bot).is_empty());
    }

    #[test]
    fn several_seats_of_a_player_count_with_their_mean_rank() {
        let players = [bot("greedy"), bot("random"), bot("greedy"), bot("random")];
        assert_eq!(
            places(&players, &[1, 2, 4, 3], PlayerKind::Bot),
            [("greedy".to_owned(), 150), ("random".to_owned(), 150)]
        );
        let players = [bot("a"), bot("a"), bot("a"), bot("a"), bot("a"), bot("b")];
        let places = places(&players, &[1, 2, 3, 4, 6, 5], PlayerKind::Bot);
        assert_eq!(places, [("a".to_owned(), 192), ("b".to_owned(), 300)]);
    }
}
