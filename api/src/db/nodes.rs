//! The heartbeat of a node.
//! It finds clocks that differ from each other, and a clock that is set while the node runs.
//!
//! PostgreSQL has a clock, with which each node compares its own before each commit. A SQLite file has none, so only
//! the heartbeats show that two processes differ.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use diesel::prelude::*;

use crate::db::clock::TOLERANCE;
use crate::db::connection::VERSION;
use crate::db::schema::nodes;
use crate::db::{Store, StoreError};

/// The time between two heartbeats.
pub(crate) const BEAT: Duration = Duration::from_secs(60);

/// After how long a node without a heartbeat is forgotten, in microseconds.
const FORGOTTEN: i64 = 24 * 60 * 60 * 1_000_000;

/// A running node.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = nodes)]
pub(crate) struct NodeRow {
    /// Its id, the owner of its leases.
    pub id: String,
    /// The version of its program.
    pub version: String,
    /// When it started, by its clock, in microseconds since 1970.
    pub started_at: i64,
    /// When it last wrote this row, by its clock.
    pub seen_at: i64,
    /// By how many microseconds its clock was set ahead while it ran; negative if it was set back.
    pub jumped: i64,
}

/// The heartbeat of a store.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    started_at: i64,
    /// The last beat: by a clock that cannot be set, and by the node's clock.
    last: (Instant, i64),
    jumped: i64,
    /// When each other node was last seen, by its own clock.
    seen: HashMap<String, i64>,
    /// The ids of nodes whose clocks differ, with the difference in microseconds.
    ahead: HashMap<String, i64>,
}

impl Heartbeat {
    pub(crate) fn new(store: &Store) -> Heartbeat {
        let now = store.now();
        Heartbeat {
            started_at: now,
            last: (Instant::now(), now),
            jumped: 0,
            seen: HashMap::new(),
            ahead: HashMap::new(),
        }
    }

    /// Compares the clock with itself and with those of other nodes, and writes this node's row.
    /// A difference is logged when it appears.
    pub(crate) fn beat(&mut self, store: &Store) -> Result<(), StoreError> {
        let (instant, now) = (Instant::now(), store.now());
        let (elapsed, passed) = (instant - self.last.0, now - self.last.1);
        let elapsed = i64::try_from(elapsed.as_micros()).unwrap_or(i64::MAX);
        let jump = passed.saturating_sub(elapsed);
        if jump.abs() > TOLERANCE {
            self.jumped += jump;
        }
        self.last = (instant, now);
        self.compare(store.nodes()?, store.node(), now, elapsed);
        let warning = self.warning();
        let largest = self.ahead.values().chain([&self.jumped]);
        let largest = largest.max_by_key(|ahead| ahead.abs()).copied();
        metrics::gauge!("tabularium_clock_difference_seconds")
            .set(largest.unwrap_or(0) as f64 / 1e6);
        let before = store.note_clock_warning(warning.clone());
        match (before, warning) {
            (None, Some(warning)) => tracing::warn!(%warning, "the clocks are suspicious"),
            (Some(_), None) => tracing::info!("the clocks agree again"),
            _ => {}
        }
        store.note_node(NodeRow {
            id: store.node().to_owned(),
            version: VERSION.to_owned(),
            started_at: self.started_at,
            seen_at: now,
            jumped: self.jumped,
        })
    }

    /// Compares the heartbeats of other nodes with the time here.
    /// `elapsed` is the time since the last comparison.
    fn compare(&mut self, rows: Vec<NodeRow>, own: &str, now: i64, elapsed: i64) {
        self.ahead
            .retain(|id, _| rows.iter().any(|row| row.id == *id));
        for row in rows.into_iter().filter(|row| row.id != own) {
            let ahead = row.seen_at - now;
            let before = self.seen.insert(row.id.clone(), row.seen_at);
            // It was written since the last comparison, so its time should not be before that.
            let is_new = before.is_some_and(|before| before != row.seen_at);
            if ahead > TOLERANCE || (is_new && ahead < -(elapsed + TOLERANCE)) {
                self.ahead.insert(row.id, ahead);
            } else if is_new {
                self.ahead.remove(&row.id);
            }
        }
    }

    fn warning(&self) -> Option<String> {
        let jumped = (self.jumped.abs() > TOLERANCE).then(|| {
            format!(
                "the clock of this node was set {} while it ran, or the machine slept: events are dated by it",
                difference(self.jumped, "ahead", "back")
            )
        });
        let others = self.ahead.iter().map(|(id, ahead)| {
            format!(
                "the clock of the node {id} is {} this one's: set both by NTP",
                difference(*ahead, "ahead of", "behind")
            )
        });
        let all: Vec<String> = jumped.into_iter().chain(others).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// Describes a difference of clocks in whole seconds, such as `3600 seconds ahead`.
/// It is rounded, because a node may have to wait between reading two clocks.
pub(crate) fn difference(micros: i64, ahead: &str, behind: &str) -> String {
    let direction = if micros > 0 { ahead } else { behind };
    format!("{:.0} seconds {direction}", micros.abs() as f64 / 1e6)
}

impl Store {
    /// Returns the nodes that have not stopped in order.
    pub(crate) fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(nodes::table.order(nodes::started_at).load(connection)?)
    }

    /// Writes the row of this node, and removes those of nodes that ended long ago.
    fn note_node(&self, row: NodeRow) -> Result<(), StoreError> {
        self.write(move |connection| {
            let old = nodes::seen_at.lt(row.seen_at - FORGOTTEN);
            diesel::delete(nodes::table.filter(old.or(nodes::id.eq(row.id.clone()))))
                .execute(connection)?;
            diesel::insert_into(nodes::table)
                .values(row)
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes the row of this node, which stops.
    pub(crate) fn remove_node(&self) -> Result<(), StoreError> {
        let id = self.node().to_owned();
        self.write(move |connection| {
            diesel::delete(nodes::table.find(id)).execute(connection)?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::db::clock::Clock;

    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    fn open(folder: &tempfile::TempDir) -> (Store, Clock) {
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        let clock = Clock::default();
        (
            Store::open_with(&url.as_str().into(), clock.clone()).unwrap(),
            clock,
        )
    }

    #[test]
    fn differences_are_rounded() {
        let name = |micros| difference(micros, "ahead", "back");
        assert_eq!(name(3_599_999_990), "3600 seconds ahead");
        assert_eq!(name(-3_600_000_010), "3600 seconds back");
    }

    #[test]
    fn a_clock_that_is_set_while_the_node_runs_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let (store, clock) = open(&folder);
        let mut heart = Heartbeat::new(&store);
        heart.beat(&store).unwrap();
        assert_eq!(store.clock_warning(), None);
        clock.set_ahead(HOUR);
        heart.beat(&store).unwrap();
        let warning = store.clock_warning().unwrap();
        assert!(warning.contains("3600 seconds ahead"), "{warning}");
        assert!(store.nodes().unwrap()[0].jumped >= 3_599_000_000);
        // The clock is corrected.
        heart.jumped -= 3_600_000_000;
        heart.beat(&store).unwrap();
        assert_eq!(store.clock_warning(), None);
        store.remove_node().unwrap();
        assert_eq!(store.nodes().unwrap(), []);
    }

    #[test]
    fn nodes_whose_clocks_differ_notice_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let ((right, _), (wrong, clock)) = (open(&folder), open(&folder));
        clock.set_ahead(HOUR);
        let mut hearts = (Heartbeat::new(&right), Heartbeat::new(&wrong));
        hearts.0.beat(&right).unwrap();
        hearts.1.beat(&wrong).unwrap();
        // The other node's heartbeat lies in the future.
        hearts.0.beat(&right).unwrap();
        let warning = right.clock_warning().unwrap();
        let expected = format!("{} is 3599 seconds ahead of", wrong.node());
        let rounded = format!("{} is 3600 seconds ahead of", wrong.node());
        assert!(
            warning.contains(&expected) || warning.contains(&rounded),
            "{warning}"
        );
        // The other node's heartbeat is new, and dated long before the last comparison.
        hearts.1.beat(&wrong).unwrap();
        let warning = wrong.clock_warning().unwrap();
        assert!(warning.contains(right.node()), "{warning}");
        assert!(warning.contains("seconds behind"), "{warning}");
    }

    #[test]
    fn a_node_that_has_ended_is_not_behind() {
        let row = |seen_at| NodeRow {
            id: "other".to_owned(),
            version: VERSION.to_owned(),
            started_at: 0,
            seen_at,
            jumped: 0,
        };
        let folder = tempfile::tempdir().unwrap();
        let (store, _) = open(&folder);
        let mut heart = Heartbeat::new(&store);
        let second = 1_000_000;
        for minute in 1..60 {
            heart.compare(vec![row(0)], "own", minute * 60 * second, 60 * second);
            assert_eq!(heart.warning(), None);
        }
        // It beats again, with its right clock.
        heart.compare(
            vec![row(3_590 * second)],
            "own",
            3_600 * second,
            60 * second,
        );
        assert_eq!(heart.warning(), None);
    }
}
