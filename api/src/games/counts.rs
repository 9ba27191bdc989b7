//! What counts: which games, and who is compared in them.

use engine::forms::ResultBody;
use engine::setup::{Player, PlayerKind};
use records::Entry;
use uuid::Uuid;

use crate::games::model::{StoredGame, Visibility};
use crate::games::setup::stored_setup;
use crate::http::error::ServiceError;

/// Somebody whom a game compares with others of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedPlayer {
    /// The id of an account, or the name of a bot.
    pub player: String,
    /// [`PlayerKind::Account`] or [`PlayerKind::Bot`].
    pub kind: PlayerKind,
    /// The mean rank of the player's seats, in sixtieths: whole for up to six seats.
    pub place: u32,
}

/// The kinds that are rated, each apart.
pub const KINDS: [PlayerKind; 2] = [PlayerKind::Account, PlayerKind::Bot];

/// How many parts a rank has.
pub const PLACES: u32 = 60;

/// The result of a game that counts: it says that it is rated, more than its players may see it, it began from the
/// start of its edition, and was ended by the rules. What people decided (an adjudication or agreement, by the
/// organizer here or as a record claims) does not count.
pub fn result_that_counts(stored: &StoredGame) -> Result<Option<&ResultBody>, ServiceError> {
    let shown = stored.visibility != Visibility::Private;
    let result = stored.result.as_ref().filter(|_| stored.rated && shown);
    let Some(result) = result.filter(|result| !result.reason.is_decision()) else {
        return Ok(None);
    };
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    Ok(Some(result).filter(|_| setup.position.is_none()))
}

/// To whom each seat counts: to who sat there when the game began, not to later players, so that nobody escapes a loss
/// by staying away or having the seat given to another, or takes a win over. `told` is what the log says of seats,
/// behind its setup.
pub fn credited(stored: &StoredGame, told: &[String]) -> Result<Vec<(u8, Player)>, ServiceError> {
    let (mut sitting, told) = seatings(stored, told)?;
    for (seat, player) in told {
        // The game begins when nobody is waited for.
        if !sitting.contains(&Player::Open) {
            break;
        }
        if let Some(sits) = sitting.get_mut(usize::from(seat)) {
            *sits = player;
        }
    }
    Ok((0..).zip(sitting).collect())
}

/// Whether an account sits at the table of a game or has sat there.
pub fn has_sat(stored: &StoredGame, told: &[String], account: Uuid) -> Result<bool, ServiceError> {
    let account = account.to_string();
    let (sitting, told) = seatings(stored, told)?;
    let mut players = sitting.iter().chain(told.iter().map(|(_, player)| player));
    Ok(players.any(|player| player.actor() == Some(&*account)))
}

/// Who sat at each seat in the setup of a game, and who was seated where behind it.
type Seatings = (Vec<Player>, Vec<(u8, Player)>);

/// The seatings of a game.
fn seatings(stored: &StoredGame, told: &[String]) -> Result<Seatings, ServiceError> {
    let setup = stored_setup(stored);
    let setup = setup.map_err(|error| ServiceError::damaged(stored.id, error))?;
    let mut seated = Vec::new();
    for text in told {
        let entry: Entry = (text.parse())
            .map_err(|error| ServiceError::damaged(stored.id, format!("{text:?}: {error}")))?;
        if let Entry::Seat { seat, player } = entry {
            seated.push((seat, player));
        }
    }
    let seats = setup.seats.into_iter();
    Ok((seats.map(|seat| seat.player).collect(), seated))
}

/// To whom the seats of a result count, each with its rank.
pub fn ranked(result: &ResultBody, credited: Vec<(u8, Player)>) -> Vec<(Player, u8)> {
    let rank = |(seat, player)| {
        let own = result.ranks.iter().find(|rank| rank.seat == seat)?;
        Some((player, own.rank))
    };
    credited.into_iter().filter_map(rank).collect()
}

/// Those of a kind whom a result compares, by their first seats, from whom each seat counts to and its rank; nobody
/// when there are not two. Guests and placeholders are never among them.
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

    fn told(players: &[Player], ranks: &[u8], kind: PlayerKind) -> Vec<(String, u32)> {
        let ranked: Vec<(Player, u8)> = (players.iter().cloned())
            .zip(ranks.iter().copied())
            .collect();
        participants(&ranked, kind)
            .into_iter()
            .map(|participant| (participant.player, participant.place))
            .collect()
    }

    #[test]
    fn kinds_are_compared_apart() {
        let players = [person(DIDO), bot("greedy"), person(HANNO), bot("random")];
        let ranks = [2, 1, 3, 3];
        assert_eq!(
            told(&players, &ranks, PlayerKind::Account),
            [(DIDO.to_owned(), 120), (HANNO.to_owned(), 180)]
        );
        assert_eq!(
            told(&players, &ranks, PlayerKind::Bot),
            [("greedy".to_owned(), 60), ("random".to_owned(), 180)]
        );
    }

    #[test]
    fn nobody_is_compared_alone_or_with_guests() {
        let guest = person("guest:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b79");
        let placeholder = person("placeholder:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b7a");
        let players = [person(DIDO), guest, placeholder, person("dido of old")];
        for kind in KINDS {
            assert!(told(&players, &[1, 2, 3, 4], kind).is_empty());
        }
        let alone = [bot("greedy"), bot("greedy"), person(DIDO)];
        assert!(told(&alone, &[1, 2, 3], PlayerKind::Bot).is_empty());
    }

    #[test]
    fn several_seats_of_a_player_count_as_their_mean() {
        let players = [bot("greedy"), bot("random"), bot("greedy"), bot("random")];
        assert_eq!(
            told(&players, &[1, 2, 4, 3], PlayerKind::Bot),
            [("greedy".to_owned(), 150), ("random".to_owned(), 150)]
        );
        let players = [bot("a"), bot("a"), bot("a"), bot("a"), bot("a"), bot("b")];
        let places = told(&players, &[1, 2, 3, 4, 6, 5], PlayerKind::Bot);
        assert_eq!(places, [("a".to_owned(), 192), ("b".to_owned(), 300)]);
    }
}
