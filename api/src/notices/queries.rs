//! The queries of notices, choices, addresses and push subscriptions.

use std::collections::BTreeMap;

use diesel::dsl::min;
use diesel::prelude::*;
use uuid::Uuid;

use crate::db::connection::AnyConnection;
use crate::db::jobs::{WorkKind, wake_work};
use crate::db::projections::offsets::Transaction;
use crate::db::schema::{
    mail_addresses, mail_tokens, notice_choices, notices, push_key, push_subscriptions, seats,
};
use crate::db::{Store, StoreError};

/// How long sent notices are kept, in microseconds: 30 days. A notice is not stored again meanwhile.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// The most push subscriptions of an account. Another one ends the oldest.
const MOST_SUBSCRIPTIONS: i64 = 20;

/// A notice for an account by one channel. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = notices)]
pub struct StoredNotice {
    /// The id, a UUIDv7.
    pub id: String,
    /// The account.
    pub account: String,
    /// `mail`, `daily` or `push`.
    pub channel: String,
    /// The type of the event, `confirm_address` or `recover_password`.
    pub kind: String,
    /// Names the occasion. No two notices have the same.
    pub occasion: String,
    /// The push subscription.
    pub subscription: Option<String>,
    /// The game.
    pub game: Option<String>,
    /// The league.
    pub league: Option<String>,
    /// The number of the event in the log of the game or league.
    pub seq: Option<i64>,
    /// The deadline.
    pub due_at: Option<i64>,
    /// When it was created.
    pub created_at: i64,
    /// When it is sent; `None` if it is sent or failed.
    pub next_at: Option<i64>,
    /// The number of failed attempts.
    pub attempts: i64,
}

/// The choice of an account for a type of notices.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = notice_choices)]
pub struct ChoiceRow {
    /// The account.
    pub account: String,
    /// The type.
    pub kind: String,
    /// `never`, `each` or `daily`.
    pub mail: String,
    /// 1 if browsers receive them, else 0.
    pub push: i64,
    /// The position in the log of all games after which events are sent.
    pub since: i64,
    /// The position in the log of all leagues after which events are sent.
    pub league_since: i64,
    /// When it was made, in microseconds since 1970.
    pub created_at: i64,
}

/// The e-mail address of an account. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = mail_addresses)]
pub struct MailAddressRow {
    /// The account.
    pub account: String,
    /// The address.
    pub address: String,
    /// The code of the language of mails.
    pub language: String,
    /// When it was confirmed.
    pub confirmed_at: Option<i64>,
    /// The code of the links that end mails.
    pub unsubscribe: String,
    /// When it was set.
    pub created_at: i64,
}

/// A browser that receives push messages.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = push_subscriptions)]
pub struct SubscriptionRow {
    /// The id, a UUIDv7.
    pub id: String,
    /// The account.
    pub account: String,
    /// The URL of the push service.
    pub endpoint: String,
    /// The public key of the browser.
    pub key: String,
    /// The secret of the browser.
    pub auth: String,
    /// The browser and the system.
    pub device: String,
    /// The code of the language of messages.
    pub language: String,
    /// When it was added, in microseconds since 1970.
    pub created_at: i64,
}

/// The result of an attempt to send notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendingEnd {
    /// They are sent, or do not apply, or failed for good.
    Done,
    /// They are sent again at this time.
    Retry(i64),
    /// Their account does not exist.
    NoAccount,
}

/// Stores notices whose occasion is new, and schedules sending them.
fn insert(connection: &mut AnyConnection, new: Vec<StoredNotice>) -> Result<(), StoreError> {
    let mut woken: BTreeMap<String, i64> = BTreeMap::new();
    for notice in new {
        let known: i64 = notices::table
            .filter(notices::occasion.eq(notice.occasion.clone()))
            .count()
            .get_result(connection)?;
        if known > 0 {
            continue;
        }
        if !woken.contains_key(&notice.account) {
            let old = notices::table
                .filter(notices::account.eq(notice.account.clone()))
                .filter(notices::next_at.is_null())
                .filter(notices::created_at.lt(notice.created_at - KEPT));
            diesel::delete(old).execute(connection)?;
        }
        woken.insert(notice.account.clone(), notice.created_at);
        diesel::insert_into(notices::table)
            .values(notice)
            .execute(connection)?;
    }
    // The order of the map prevents deadlocks between writers.
    for (account, now) in woken {
        wake_work(connection, WorkKind::Notice, &account, now)?;
    }
    Ok(())
}

/// Removes the choices, addresses, subscriptions and notices of an account.
pub(crate) fn remove_notices_of(
    connection: &mut AnyConnection,
    account: &str,
) -> Result<(), StoreError> {
    let account = account.to_owned();
    let own = notice_choices::table.filter(notice_choices::account.eq(account.clone()));
    diesel::delete(own).execute(connection)?;
    let own = push_subscriptions::table.filter(push_subscriptions::account.eq(account.clone()));
    diesel::delete(own).execute(connection)?;
    let own = notices::table.filter(notices::account.eq(account.clone()));
    diesel::delete(own).execute(connection)?;
    remove_address(connection, &account)
}

fn remove_address(connection: &mut AnyConnection, account: &str) -> Result<(), StoreError> {
    let tokens = mail_tokens::table.filter(mail_tokens::account.eq(account.to_owned()));
    diesel::delete(tokens).execute(connection)?;
    diesel::delete(mail_addresses::table.find(account.to_owned())).execute(connection)?;
    Ok(())
}

impl Transaction<'_> {
    /// Stores notices whose occasion is new, and schedules sending them.
    pub(super) fn add_notices(&mut self, new: Vec<StoredNotice>) -> Result<(), StoreError> {
        insert(self.0, new)
    }
}

impl Store {
    /// Stores notices whose occasion is new, and schedules sending them.
    pub(super) fn add_notices(&self, new: Vec<StoredNotice>) -> Result<(), StoreError> {
        self.write(move |connection| insert(connection, new))
    }

    /// Returns the choices of an account.
    pub(super) fn notice_choices(&self, account: Uuid) -> Result<Vec<ChoiceRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = notice_choices::table.filter(notice_choices::account.eq(account.to_string()));
        Ok(own.order(notice_choices::kind).load(connection)?)
    }

    /// Replaces the choices of an account. A choice that stays keeps its begin.
    pub(super) fn set_notice_choices(
        &self,
        account: Uuid,
        new: Vec<ChoiceRow>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let own = || notice_choices::account.eq(account.to_string());
            let old: Vec<ChoiceRow> = notice_choices::table.filter(own()).load(connection)?;
            diesel::delete(notice_choices::table.filter(own())).execute(connection)?;
            for mut choice in new {
                if let Some(old) = old.iter().find(|old| old.kind == choice.kind) {
                    choice.since = old.since;
                    choice.league_since = old.league_since;
                    choice.created_at = old.created_at;
                }
                diesel::insert_into(notice_choices::table)
                    .values(choice)
                    .execute(connection)?;
            }
            Ok(())
        })
    }

    /// Ends the mails of a type, or of all types, for the account with a code. Returns false if there is no such code.
    pub(super) fn unsubscribe(
        &self,
        code: &str,
        kind: Option<&'static str>,
    ) -> Result<bool, StoreError> {
        let code = code.to_owned();
        self.write(move |connection| {
            let account: Option<String> = mail_addresses::table
                .filter(mail_addresses::unsubscribe.eq(code))
                .select(mail_addresses::account)
                .first(connection)
                .optional()?;
            let Some(account) = account else {
                return Ok(false);
            };
            let own = notice_choices::account.eq(account);
            match kind {
                Some(kind) => diesel::update(
                    notice_choices::table
                        .filter(own)
                        .filter(notice_choices::kind.eq(kind)),
                )
                .set(notice_choices::mail.eq("never"))
                .execute(connection)?,
                None => diesel::update(notice_choices::table.filter(own))
                    .set(notice_choices::mail.eq("never"))
                    .execute(connection)?,
            };
            Ok(true)
        })
    }

    /// Returns the smallest positions in the logs of games and of leagues after which a choice receives events.
    pub(super) fn choices_begin(&self) -> Result<Option<(i64, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        let (games, leagues): (Option<i64>, Option<i64>) = notice_choices::table
            .select((
                min(notice_choices::since),
                min(notice_choices::league_since),
            ))
            .first(connection)?;
        Ok(games.zip(leagues))
    }

    /// Returns the accounts at games, each with its game: players, invited accounts, and those that lost a seat.
    pub(super) fn accounts_of_games(
        &self,
        games: &[String],
    ) -> Result<Vec<(String, String)>, StoreError> {
        let connection = &mut *self.connection()?;
        type Row = (String, Option<String>, Option<String>, Option<String>);
        let rows: Vec<Row> = seats::table
            .filter(seats::game_id.eq_any(games.to_vec()))
            .select((
                seats::game_id,
                seats::player_id,
                seats::invited,
                seats::former,
            ))
            .load(connection)?;
        let mut found: Vec<(String, String)> = rows
            .into_iter()
            .flat_map(|(game, player, invited, former)| {
                let accounts = [player, invited, former].into_iter().flatten();
                accounts.map(move |account| (game.clone(), account))
            })
            .collect();
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Returns the choices of accounts.
    pub(super) fn choices_of(&self, accounts: Vec<String>) -> Result<Vec<ChoiceRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = notice_choices::table.filter(notice_choices::account.eq_any(accounts));
        Ok(own.load(connection)?)
    }

    /// Returns the e-mail address of an account.
    pub(super) fn mail_address(&self, account: &str) -> Result<Option<MailAddressRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = mail_addresses::table.find(account.to_owned());
        Ok(found.first(connection).optional()?)
    }

    /// Replaces the e-mail address of an account, with the notice that asks to confirm it.
    pub(super) fn set_mail_address(
        &self,
        row: MailAddressRow,
        notice: StoredNotice,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            remove_address(connection, &row.account)?;
            diesel::insert_into(mail_addresses::table)
                .values(row)
                .execute(connection)?;
            insert(connection, vec![notice])
        })
    }

    /// Removes the e-mail address of an account.
    pub(super) fn remove_mail_address(&self, account: Uuid) -> Result<(), StoreError> {
        self.write(move |connection| remove_address(connection, &account.to_string()))
    }

    /// Stores the hash of a token that confirms an address until a time.
    pub(super) fn add_mail_token(
        &self,
        hash: String,
        row: &MailAddressRow,
        expires_at: i64,
    ) -> Result<(), StoreError> {
        let (account, address) = (row.account.clone(), row.address.clone());
        self.write(move |connection| {
            diesel::insert_into(mail_tokens::table)
                .values((
                    mail_tokens::hash.eq(hash),
                    mail_tokens::account.eq(account),
                    mail_tokens::address.eq(address),
                    mail_tokens::expires_at.eq(expires_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Confirms the address of a token. Returns false if there is no such token, or the address has changed.
    pub(super) fn confirm_address(&self, hash: String, now: i64) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let expired = mail_tokens::table.filter(mail_tokens::expires_at.le(now));
            diesel::delete(expired).execute(connection)?;
            let token: Option<(String, String)> = mail_tokens::table
                .find(hash)
                .select((mail_tokens::account, mail_tokens::address))
                .first(connection)
                .optional()?;
            let Some((account, address)) = token else {
                return Ok(false);
            };
            let own = mail_tokens::table.filter(mail_tokens::account.eq(account.clone()));
            diesel::delete(own).execute(connection)?;
            let confirmed = mail_addresses::table
                .find(account)
                .filter(mail_addresses::address.eq(address));
            let changed = diesel::update(confirmed)
                .set(mail_addresses::confirmed_at.eq(Some(now)))
                .execute(connection)?;
            Ok(changed == 1)
        })
    }

    /// Returns the secret of the key for push messages. The first call stores the given one.
    pub(super) fn push_secret(&self, new: &str) -> Result<String, StoreError> {
        let found = |connection: &mut AnyConnection| -> QueryResult<Option<String>> {
            let secret = push_key::table.find(1).select(push_key::secret);
            secret.first(connection).optional()
        };
        if let Some(secret) = found(&mut *self.connection()?)? {
            return Ok(secret);
        }
        let (new, now) = (new.to_owned(), self.now());
        self.write(move |connection| {
            // Another node may have been first.
            if let Some(secret) = found(connection)? {
                return Ok(secret);
            }
            diesel::insert_into(push_key::table)
                .values((
                    push_key::id.eq(1),
                    push_key::secret.eq(new.clone()),
                    push_key::created_at.eq(now),
                ))
                .execute(connection)?;
            Ok(new)
        })
    }

    /// Stores a push subscription. One with the same URL is replaced, and of too many the oldest are removed.
    pub(super) fn add_subscription(&self, row: SubscriptionRow) -> Result<(), StoreError> {
        self.write(move |connection| {
            let same = push_subscriptions::endpoint.eq(row.endpoint.clone());
            diesel::delete(push_subscriptions::table.filter(same)).execute(connection)?;
            let oldest: Vec<String> = push_subscriptions::table
                .filter(push_subscriptions::account.eq(row.account.clone()))
                .order(push_subscriptions::id.desc())
                .offset(MOST_SUBSCRIPTIONS - 1)
                .limit(MOST_SUBSCRIPTIONS)
                .select(push_subscriptions::id)
                .load(connection)?;
            let oldest = push_subscriptions::id.eq_any(oldest);
            diesel::delete(push_subscriptions::table.filter(oldest)).execute(connection)?;
            diesel::insert_into(push_subscriptions::table)
                .values(row)
                .execute(connection)?;
            Ok(())
        })
    }

    /// Returns the push subscriptions of accounts, oldest first.
    pub(super) fn subscriptions(
        &self,
        accounts: Vec<String>,
    ) -> Result<Vec<SubscriptionRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = push_subscriptions::table.filter(push_subscriptions::account.eq_any(accounts));
        Ok(own.order(push_subscriptions::id).load(connection)?)
    }

    /// Removes a push subscription of an account. Returns false if there is none.
    pub(super) fn remove_subscription(&self, account: &str, id: &str) -> Result<bool, StoreError> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.write(move |connection| {
            let own = push_subscriptions::table
                .find(id)
                .filter(push_subscriptions::account.eq(account));
            Ok(diesel::delete(own).execute(connection)? == 1)
        })
    }

    /// Returns the notice of an account that has waited longest.
    pub(super) fn due_notice(
        &self,
        account: &str,
        now: i64,
    ) -> Result<Option<StoredNotice>, StoreError> {
        let connection = &mut *self.connection()?;
        let due = notices::table
            .filter(notices::account.eq(account.to_owned()))
            .filter(notices::next_at.le(now))
            .order((notices::next_at, notices::id));
        Ok(due.first(connection).optional()?)
    }

    /// Returns the notices of an account for the mail of a day, oldest first.
    pub(super) fn daily_notices(
        &self,
        account: &str,
        now: i64,
        limit: i64,
    ) -> Result<Vec<StoredNotice>, StoreError> {
        let connection = &mut *self.connection()?;
        let due = notices::table
            .filter(notices::account.eq(account.to_owned()))
            .filter(notices::channel.eq("daily"))
            .filter(notices::next_at.le(now))
            .order(notices::id)
            .limit(limit);
        Ok(due.load(connection)?)
    }

    /// Stores the result of an attempt to send notices.
    pub(super) fn note_sending(&self, ids: Vec<String>, end: SendingEnd) -> Result<(), StoreError> {
        self.write(move |connection| {
            let sent = notices::table.filter(notices::id.eq_any(ids));
            match end {
                SendingEnd::NoAccount => diesel::delete(sent).execute(connection)?,
                SendingEnd::Done => diesel::update(sent)
                    .set(notices::next_at.eq(None::<i64>))
                    .execute(connection)?,
                SendingEnd::Retry(at) => diesel::update(sent)
                    .set((
                        notices::next_at.eq(Some(at)),
                        notices::attempts.eq(notices::attempts + 1),
                    ))
                    .execute(connection)?,
            };
            Ok(())
        })
    }

    /// Ends sending to an account for now, and schedules its next notice, if there is one.
    pub(super) fn settle_notices(&self, account: &str) -> Result<(), StoreError> {
        let own = account.to_owned();
        self.settle_work(WorkKind::Notice, account, move |connection| {
            Ok(notices::table
                .filter(notices::account.eq(own))
                .select(min(notices::next_at))
                .first(connection)?)
        })
    }
}
