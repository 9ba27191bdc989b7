-- Players, nations and hashes that followed are not told, so the older program finds the logs broken:
-- export before.
DROP INDEX events_by_position;
UPDATE events SET
    position = (SELECT first.position + events.seq - first.seq FROM events AS first
        WHERE first.game = events.game AND first.seq <= events.seq AND first.position > 0
        ORDER BY first.seq DESC LIMIT 1),
    at = (SELECT first.at FROM events AS first
        WHERE first.game = events.game AND first.seq <= events.seq AND first.position > 0
        ORDER BY first.seq DESC LIMIT 1)
WHERE position = 0;
CREATE UNIQUE INDEX events_by_position ON events (position);
ALTER TABLE events RENAME COLUMN hash_start TO hash;
