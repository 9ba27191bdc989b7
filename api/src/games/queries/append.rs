//! Writes games: a new one, or the next step of one.

use diesel::prelude::*;
use records::tlog::Leaf;
use uuid::Uuid;

use crate::db::answers::keep_answer;
use crate::db::connection::AnyConnection;
use crate::db::jobs::{Task, WorkKind};
use crate::db::schema::{accounts, biddings, events, games, seats};
use crate::db::versions::{next_version, reserve_positions};
use crate::db::writer::{Writing, conflict};
use crate::db::{Store, StoreError, jobs as work};
use crate::games::bidding::Bidding;
use crate::games::model::{AddedLeagueEvent, Append, AppendedEvents, Seat};
use crate::games::queries::players::list_players;
use crate::games::queries::rows::{EventColumns, GameChanges, GameRow, SeatRow};
use crate::signing::leaves::append_leaf;

/// The most events in one statement. The databases allow some ten thousand values.
const ROWS: usize = 1_000;

impl Store {
    pub(crate) fn writing(&self) -> Writing {
        Writing {
            node: self.node().to_owned(),
            now: self.now(),
            key: self.signing_key(),
        }
    }

    /// Writes a new game or the next step of one, and returns when it is on disk.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another writer was first: the game has another version, its id exists, or the
    /// idempotency key is in use. Otherwise the error of the database. Nothing is written then.
    pub(in crate::games) fn append(&self, append: Append) -> Result<AppendedEvents, StoreError> {
        let writing = self.writing();
        self.write(move |connection| write(connection, &writing, append))
    }

    /// Writes several games and steps in one transaction, each independently.
    /// Returns their outcomes in order.
    pub(in crate::games) fn append_all(
        &self,
        appends: Vec<Append>,
    ) -> Result<Vec<Result<AppendedEvents, StoreError>>, StoreError> {
        let writing = self.writing();
        self.write(move |connection| {
            let each =
                |append| connection.transaction(|connection| write(connection, &writing, append));
            Ok(appends.into_iter().map(each).collect())
        })
    }

    /// Stores the rematch of a game. Returns the new version of the game.
    pub(in crate::games) fn link_rematch(&self, game: Uuid, next: Uuid) -> Result<i64, StoreError> {
        self.write(move |connection| {
            let version = next_version(connection)?;
            diesel::update(games::table.find(game.to_string()))
                .set((
                    games::rematch.eq(next.to_string()),
                    games::version.eq(version),
                ))
                .execute(connection)?;
            Ok(version)
        })
    }
}

pub(crate) fn write(
    connection: &mut AnyConnection,
    writing: &Writing,
    append: Append,
) -> Result<AppendedEvents, StoreError> {
    let count = append.events.len() as i64;
    let (end, version) = reserve_positions(connection, count)?;
    let position = end - count + 1;
    let id = append.game.id;
    let automatic = append.game.automatic;
    let due_at = append.game.due_at;
    let leaf = (append.game.signature.as_ref()).map(|one| Leaf::of_game(&id.to_string(), one));
    check_accounts(connection, &append.seats)?;
    let mut game = append.game;
    match game.version {
        0 => {
            game.number = position;
            diesel::insert_into(games::table)
                .values(GameRow::new(game.clone(), end, version))
                .execute(connection)
                .map_err(conflict)?;
            for seat in &append.seats {
                diesel::insert_into(seats::table)
                    .values(SeatRow::new(id, seat))
                    .execute(connection)?;
            }
        }
        known => {
            let unchanged = games::table
                .filter(games::id.eq(id.to_string()))
                .filter(games::version.eq(known));
            let updated = diesel::update(unchanged)
                .set(GameChanges::from_game(&game, end, version))
                .execute(connection)?;
            if updated != 1 {
                return Err(StoreError::Conflict);
            }
            update_seats(connection, id, &append.seats)?;
        }
    }
    if let Some(bidding) = game.bidding.as_ref().filter(|_| append.bidding_changed) {
        write_bidding(connection, id, bidding)?;
    }
    list_players(connection, &game, &append.seats)?;
    let rows = EventColumns::for_step(game.number, position, &append.events)?;
    append_events(connection, rows)?;
    let bots = Task {
        kind: WorkKind::Bots,
        subject: id.to_string(),
    };
    if automatic {
        work::schedule(connection, writing, &bots, append.charged_to)?;
    } else if append.was_automatic {
        work::remove(connection, &bots)?;
    }
    let deadline = Task {
        kind: WorkKind::Deadline,
        subject: id.to_string(),
    };
    match due_at {
        _ if due_at == append.was_due_at => {}
        Some(due_at) => work::schedule_deadline(connection, &deadline, due_at)?,
        None => work::remove(connection, &deadline)?,
    }
    if let Some(AddedLeagueEvent { text, add }) = append.league_event {
        add(connection, writing, id, text)?;
    }
    if let Some(leaf) = leaf {
        append_leaf(connection, &id.to_string(), &leaf)?;
    }
    keep_answer(connection, append.answer)?;
    Ok(AppendedEvents { position, version })
}

/// Checks that the accounts on seats still have the known handles, and that invited ones exist.
///
/// # Errors
/// [`StoreError::Conflict`] if not, or the error of the database.
fn check_accounts(connection: &mut AnyConnection, seats: &[Seat]) -> Result<(), StoreError> {
    let known = seats
        .iter()
        .filter_map(|seat| Some((seat.account()?, seat.handle.as_ref()?)));
    for (id, handle) in known {
        let found: Option<String> = accounts::table
            .find(id.to_string())
            .select(accounts::handle)
            .first(connection)
            .optional()?;
        if found.as_ref() != Some(handle) {
            return Err(StoreError::Conflict);
        }
    }
    let invited = seats.iter().filter_map(|seat| seat.invited);
    for id in invited {
        let found: i64 = accounts::table
            .find(id.to_string())
            .filter(accounts::deleted_at.is_null())
            .count()
            .get_result(connection)?;
        if found == 0 {
            return Err(StoreError::Conflict);
        }
    }
    Ok(())
}

fn update_seats(
    connection: &mut AnyConnection,
    game: Uuid,
    changed: &[Seat],
) -> Result<(), StoreError> {
    for seat in changed {
        let key = seats::table.find((game.to_string(), i64::from(seat.number)));
        diesel::update(key)
            .set(SeatRow::new(game, seat))
            .execute(connection)?;
    }
    Ok(())
}

fn write_bidding(
    connection: &mut AnyConnection,
    game: Uuid,
    bidding: &Bidding,
) -> Result<(), StoreError> {
    // Plain data always serializes.
    let text = serde_json::to_string(bidding).unwrap_or_default();
    let changed = diesel::update(biddings::table.find(game.to_string()))
        .set(biddings::bidding.eq(text.clone()))
        .execute(connection)?;
    if changed == 0 {
        diesel::insert_into(biddings::table)
            .values((
                biddings::game.eq(game.to_string()),
                biddings::bidding.eq(text),
            ))
            .execute(connection)?;
    }
    Ok(())
}

fn append_events(
    connection: &mut AnyConnection,
    rows: Vec<EventColumns>,
) -> Result<(), StoreError> {
    for part in rows.chunks(ROWS) {
        match connection {
            AnyConnection::Sqlite(sqlite) => diesel::insert_into(events::table)
                .values(part)
                .execute(sqlite),
            AnyConnection::Postgres(postgres) => diesel::insert_into(events::table)
                .values(part)
                .execute(postgres),
        }
        .map_err(conflict)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use engine::setup::Player;

    use super::*;
    use crate::accounts::queries::{StoredAccount, insert_account};
    use crate::accounts::service::new_account;

    #[test]
    fn an_account_that_was_renamed_or_deleted_meanwhile_is_a_conflict() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        let store = Store::open(&url.as_str().into()).unwrap();
        let connection = &mut *store.connection().unwrap();
        let dido = new_account("dido");
        let deleted = StoredAccount {
            deleted_at: Some(0),
            ..new_account("hanno")
        };
        for account in [&dido, &deleted] {
            insert_account(connection, account.clone()).unwrap();
        }
        let player = Player::Person {
            id: dido.id.to_string(),
            name: None,
        };
        let plays_as = |handle: &str| Seat {
            handle: Some(handle.to_owned()),
            ..Seat::new(0, player.clone(), None)
        };
        let is_invited = |account: &StoredAccount| Seat {
            invited: Some(account.id),
            ..Seat::new(1, Player::Open, None)
        };
        let mut check = |one: Seat, other: Seat| check_accounts(connection, &[one, other]);
        check(plays_as("dido"), is_invited(&dido)).unwrap();
        for (one, other) in [
            (plays_as("elissa"), is_invited(&dido)),
            (plays_as("dido"), is_invited(&deleted)),
            (plays_as("dido"), is_invited(&new_account("unknown"))),
        ] {
            let found = check(one, other);
            assert!(matches!(found, Err(StoreError::Conflict)), "{found:?}");
        }
    }
}
