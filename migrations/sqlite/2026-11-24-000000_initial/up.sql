-- The whole schema. Both databases have the same tables: text, bytes and 64-bit numbers only.
-- Times are microseconds since 1970, tokens and codes are stored as their SHA-256, ids are UUIDs (v7) as text.

-- Games and their events ------------------------------------------------------------------------------------------

CREATE TABLE games (
    id                TEXT   NOT NULL PRIMARY KEY,
    -- The position of the game's first event in the log of all games: by it events and lists name the game.
    number            BIGINT NOT NULL UNIQUE,
    edition           TEXT   NOT NULL,
    board             TEXT   NOT NULL,
    status            TEXT   NOT NULL CHECK (status IN ('open', 'running', 'finished', 'abandoned')),
    visibility        TEXT   NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    -- Who may claim open seats: open or invited.
    claims            TEXT   NOT NULL,
    rated             BIGINT NOT NULL,
    league            TEXT,
    source            TEXT   NOT NULL,
    -- The setup as JSON, with seed_commitment in place of the seed.
    setup             TEXT   NOT NULL,
    seed              TEXT   NOT NULL,
    -- Whether the creator gave the seed, so that it is shown from the start.
    seed_known        BIGINT NOT NULL,
    -- The last event and its chained hash.
    seq               BIGINT NOT NULL,
    hash              TEXT   NOT NULL,
    -- Raised by every write to the game or its seats; no two writes to any games have the same version.
    version           BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    -- The questions that must be answered next, as JSON, and the account that must answer.
    pending           TEXT,
    waiting_for       TEXT,
    -- Whether a bot or a standing order decides next.
    bot_due           BIGINT NOT NULL,
    -- When the time of the player to move runs out.
    due_at            BIGINT,
    organizer         TEXT,
    organizer_account TEXT,
    -- The game that the same players continued with.
    rematch           TEXT,
    -- Of finished games: the result and the signature as JSON, the position of the last event in the log of all
    -- games, and when the result was stored here.
    result            TEXT,
    signature         TEXT,
    finished_position BIGINT,
    recorded_at       BIGINT,
    -- Of finished games, written by the projection `lists`: the last round, and why the game ended.
    rounds            BIGINT,
    reason            TEXT,
    -- Whether an administrator has hidden the names and notes that people wrote.
    texts_hidden      BIGINT NOT NULL DEFAULT 0
);

-- What changed after a version, and what finished after a position.
CREATE INDEX games_by_version ON games (version);
CREATE INDEX games_by_finished_position ON games (finished_position) WHERE finished_position IS NOT NULL;
CREATE INDEX games_by_rated_end ON games (rated, finished_position);
CREATE INDEX games_unsigned ON games (id) WHERE signature IS NULL AND status = 'finished';
CREATE INDEX games_by_organizer ON games (organizer) WHERE organizer IS NOT NULL;
CREATE INDEX games_by_organizer_account ON games (organizer_account) WHERE organizer_account IS NOT NULL;

-- Lists of public games: an index for each filter and order (newest, latest end, most rounds).
CREATE INDEX games_created ON games (created_at, number) WHERE visibility = 'public';
CREATE INDEX games_ended ON games (updated_at, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_rounds ON games (rounds, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_edition_created ON games (edition, created_at, number) WHERE visibility = 'public';
CREATE INDEX games_edition_ended ON games (edition, updated_at, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_edition_rounds ON games (edition, rounds, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_board_created ON games (board, created_at, number) WHERE visibility = 'public';
CREATE INDEX games_board_ended ON games (board, updated_at, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_board_rounds ON games (board, rounds, number) WHERE visibility = 'public' AND rounds IS NOT NULL;
CREATE INDEX games_league_created ON games (league, created_at, number) WHERE visibility = 'public' AND league IS NOT NULL;
CREATE INDEX games_league_ended ON games (league, updated_at, number)
    WHERE visibility = 'public' AND league IS NOT NULL AND rounds IS NOT NULL;
CREATE INDEX games_league_rounds ON games (league, rounds, number)
    WHERE visibility = 'public' AND league IS NOT NULL AND rounds IS NOT NULL;
CREATE INDEX games_reason_created ON games (reason, created_at, number) WHERE visibility = 'public' AND reason IS NOT NULL;
CREATE INDEX games_reason_ended ON games (reason, updated_at, number) WHERE visibility = 'public' AND reason IS NOT NULL;
CREATE INDEX games_reason_rounds ON games (reason, rounds, number) WHERE visibility = 'public' AND reason IS NOT NULL;
CREATE INDEX games_status_created ON games (status, created_at, number)
    WHERE visibility = 'public' AND status <> 'finished';

-- The chat of a game; no row as long as nobody has written or switched it.
CREATE TABLE chats (
    game         TEXT   NOT NULL PRIMARY KEY REFERENCES games (id),
    -- Whether the organizer has turned it off.
    is_off       BIGINT NOT NULL,
    -- The number of the last message; 0 without one.
    last_message BIGINT NOT NULL
);

-- How the seats of a game are bid for, with all bids, in JSON; no row if they are not.
CREATE TABLE biddings (
    game    TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    bidding TEXT NOT NULL
);

-- What people write to each other at a table. It is in no log and no record.
CREATE TABLE messages (
    game   TEXT   NOT NULL REFERENCES games (id),
    -- From 1, within the game.
    number BIGINT NOT NULL,
    -- The seat of the sender; null for an organizer without a seat.
    seat   BIGINT,
    -- The account or guest; null for an organizer without an account.
    player TEXT,
    text   TEXT   NOT NULL,
    at     BIGINT NOT NULL,
    PRIMARY KEY (game, number)
);

CREATE INDEX messages_by_player ON messages (player) WHERE player IS NOT NULL;

-- Comments, verdicts and variations of accounts about finished games.
CREATE TABLE annotations (
    game        TEXT NOT NULL REFERENCES games (id),
    account     TEXT NOT NULL,
    -- As JSON.
    content     TEXT   NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (game, account)
);

CREATE INDEX annotations_by_account ON annotations (account);

CREATE TABLE seats (
    game_id   TEXT   NOT NULL REFERENCES games (id),
    seat      BIGINT NOT NULL,
    kind      TEXT   NOT NULL CHECK (kind IN ('bot', 'person', 'open')),
    player_id TEXT,
    name      TEXT,
    token     TEXT,
    -- Standing orders, a JSON list.
    orders    TEXT   NOT NULL,
    -- The player's last answer to an undo request: SEQ:TO:AT, SEQ:TO:declined or SEQ:TO:withdrawn.
    consent   TEXT,
    -- The account for which the seat is kept, and the account that lost the seat last.
    invited   TEXT,
    former    TEXT,
    PRIMARY KEY (game_id, seat)
);

CREATE INDEX seats_by_invited ON seats (invited) WHERE invited IS NOT NULL;
CREATE INDEX seats_by_former ON seats (former) WHERE former IS NOT NULL;
CREATE INDEX seats_by_token ON seats (token) WHERE token IS NOT NULL;

-- The players of games, for lists: a row for each seat that is not open.
CREATE TABLE game_players (
    game       BIGINT NOT NULL,
    seat       BIGINT NOT NULL,
    -- An account, a person without one, or the name of a bot.
    player     TEXT   NOT NULL,
    -- The name in small letters (A to Z) of a person.
    name       TEXT,
    -- 1 if the game is public, which never changes. It is in each index, so that counts do not read the games.
    public     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Of finished games, written by the projection `lists`; won: has a share of the win.
    ended_at   BIGINT,
    rounds     BIGINT,
    nation     TEXT,
    opening    TEXT,
    won        BIGINT,
    PRIMARY KEY (game, seat)
) WITHOUT ROWID;

CREATE INDEX players_created ON game_players (player, created_at, game, public);
CREATE INDEX players_ended ON game_players (player, ended_at, game, public) WHERE rounds IS NOT NULL;
CREATE INDEX players_rounds ON game_players (player, rounds, game, public) WHERE rounds IS NOT NULL;
CREATE INDEX players_name_created ON game_players (name, created_at, game, public) WHERE name IS NOT NULL;
CREATE INDEX players_name_ended ON game_players (name, ended_at, game, public) WHERE name IS NOT NULL AND rounds IS NOT NULL;
CREATE INDEX players_name_rounds ON game_players (name, rounds, game, public) WHERE name IS NOT NULL AND rounds IS NOT NULL;
CREATE INDEX players_winner_created ON game_players (player, created_at, game, public) WHERE won = 1;
CREATE INDEX players_winner_ended ON game_players (player, ended_at, game, public) WHERE won = 1;
CREATE INDEX players_winner_rounds ON game_players (player, rounds, game, public) WHERE won = 1;
-- The conditions differ so that a filter on nation and opening follows the index of both.
CREATE INDEX players_nation_created ON game_players (nation, created_at, game, public) WHERE nation <> '';
CREATE INDEX players_nation_ended ON game_players (nation, ended_at, game, public) WHERE nation <> '';
CREATE INDEX players_nation_rounds ON game_players (nation, rounds, game, public) WHERE nation <> '';
CREATE INDEX players_winning_nation_created ON game_players (nation, created_at, game, public) WHERE won = 1;
CREATE INDEX players_winning_nation_ended ON game_players (nation, ended_at, game, public) WHERE won = 1;
CREATE INDEX players_winning_nation_rounds ON game_players (nation, rounds, game, public) WHERE won = 1;
CREATE INDEX players_opening_created ON game_players (opening, created_at, game, public) WHERE opening <> '';
CREATE INDEX players_opening_ended ON game_players (opening, ended_at, game, public) WHERE opening <> '';
CREATE INDEX players_opening_rounds ON game_players (opening, rounds, game, public) WHERE opening <> '';
CREATE INDEX players_nation_opening_created ON game_players (nation, opening, created_at, game, public) WHERE opening IS NOT NULL;
CREATE INDEX players_nation_opening_ended ON game_players (nation, opening, ended_at, game, public) WHERE opening IS NOT NULL;
CREATE INDEX players_nation_opening_rounds ON game_players (nation, opening, rounds, game, public) WHERE opening IS NOT NULL;

-- One row for each applied action and everything else that happened in a game. Rows that were written together are a
-- run: the first row has the position, the time and the start of the hash, the rows after it follow from it.
CREATE TABLE events (
    game       BIGINT NOT NULL REFERENCES games (number),
    seq        BIGINT NOT NULL,
    -- Position in the log of all games, from 1 without gaps; 0 in the rows after the first of a run.
    position   BIGINT NOT NULL,
    turn       BIGINT NOT NULL,
    -- The player who asked for an undo; null in all other rows.
    player     TEXT,
    notation   TEXT   NOT NULL,
    digest     BLOB   NOT NULL,
    hash_start BLOB   NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (game, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX events_by_position ON events (position) WHERE position > 0;

-- The end of the log of all games and the last version of any game. Every writer updates this row first.
CREATE TABLE log_end (
    id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    position BIGINT NOT NULL,
    version  BIGINT NOT NULL
);
INSERT INTO log_end VALUES (1, 0, 0);

CREATE TABLE invitation_codes (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
    code TEXT NOT NULL UNIQUE
);

-- Answers that are kept for repeated requests with an Idempotency-Key.
CREATE TABLE idempotency_keys (
    -- SHA-256 of the caller, of the key, and of the method, path and body.
    caller     TEXT   NOT NULL,
    key        TEXT   NOT NULL,
    request    TEXT   NOT NULL,
    answer     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (caller, key)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Signing ---------------------------------------------------------------------------------------------------------

CREATE TABLE keys (
    -- The first 16 hexadecimal digits of the SHA-256 of the public key.
    id         TEXT   NOT NULL PRIMARY KEY,
    -- 64 hexadecimal digits.
    public_key TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT
);

-- Signed roots over the ends of all logs.
CREATE TABLE checkpoints (
    number          BIGINT NOT NULL PRIMARY KEY,
    at              BIGINT NOT NULL,
    position        BIGINT NOT NULL,
    games           BIGINT NOT NULL,
    root            TEXT   NOT NULL,
    previous        TEXT,
    key             TEXT   NOT NULL REFERENCES keys (id),
    value           TEXT   NOT NULL,
    league_position BIGINT,
    leagues         BIGINT,
    league_root     TEXT,
    league_value    TEXT
);

-- The transparency log: its leaves in order. A leaf has only hashes; see openapi/record-format.md.
CREATE TABLE tlog_leaves (
    -- From 0 without gaps.
    leaf_index BIGINT NOT NULL PRIMARY KEY,
    -- game, league or checkpoint.
    kind       TEXT   NOT NULL,
    -- The id of the game or league, or the number of the checkpoint.
    subject    TEXT   NOT NULL,
    leaf       TEXT   NOT NULL,
    added_at   BIGINT NOT NULL
);
CREATE INDEX tlog_leaves_by_subject ON tlog_leaves (kind, subject, leaf_index);

-- The hashes of full tiles of the log, as 64 hexadecimal digits. Level 0 is computed from the leaves.
CREATE TABLE tlog_hashes (
    level      BIGINT NOT NULL,
    hash_index BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    PRIMARY KEY (level, hash_index)
);

-- The last signed head of the transparency log, which nodes without its key publish.
CREATE TABLE tlog_head (
    id     BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    origin TEXT   NOT NULL,
    size   BIGINT NOT NULL,
    note   TEXT   NOT NULL
);

-- Accounts --------------------------------------------------------------------------------------------------------

CREATE TABLE accounts (
    id         TEXT   NOT NULL PRIMARY KEY,
    handle     TEXT   NOT NULL,
    -- The handle in small letters.
    handle_key TEXT   NOT NULL UNIQUE,
    -- The same for handles that look alike (UTS 39).
    skeleton   TEXT   NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    -- Since when its tokens are refused.
    suspended_at BIGINT,
    -- Whether a program plays for it.
    bot        BIGINT NOT NULL DEFAULT 0,
    -- Whether others do not see its strengths.
    hides_strengths BIGINT NOT NULL DEFAULT 0
);

-- Apps that ask people for tokens (OAuth). An app has no secret.
CREATE TABLE apps (
    id            TEXT   NOT NULL PRIMARY KEY,
    -- The account that registered it.
    account       TEXT   NOT NULL REFERENCES accounts (id),
    name          TEXT   NOT NULL,
    -- Words with a space between.
    redirect_uris TEXT   NOT NULL,
    home_page     TEXT,
    created_at    BIGINT NOT NULL
);

CREATE INDEX apps_by_account ON apps (account, id);

-- What an account has allowed to an app. The row is deleted with all its tokens.
CREATE TABLE app_grants (
    id           TEXT   NOT NULL PRIMARY KEY,
    app          TEXT   NOT NULL REFERENCES apps (id),
    account      TEXT   NOT NULL REFERENCES accounts (id),
    -- Words with a space between.
    scopes       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    -- When the app received its first token.
    connected_at BIGINT,
    -- When the app received its last token.
    used_at      BIGINT,
    expires_at   BIGINT NOT NULL
);

CREATE INDEX app_grants_by_account ON app_grants (account, id);
CREATE INDEX app_grants_by_app ON app_grants (app);
CREATE INDEX app_grants_by_expiry ON app_grants (expires_at);

-- Codes that an app exchanges for tokens, once. A used one is kept to notice a second use.
CREATE TABLE authorization_codes (
    hash         TEXT   NOT NULL PRIMARY KEY,
    app_grant    TEXT   NOT NULL REFERENCES app_grants (id),
    redirect_uri TEXT   NOT NULL,
    -- The SHA-256 of the app's verifier in base64url (RFC 7636).
    challenge    TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT
);

CREATE INDEX authorization_codes_by_grant ON authorization_codes (app_grant);

-- Tokens that an app exchanges for new ones, once. A used one is kept to notice a second use.
CREATE TABLE refresh_tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    app_grant  TEXT   NOT NULL REFERENCES app_grants (id),
    created_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (app_grant);

-- Requests of devices that show a code, which a person enters in a browser (RFC 8628).
CREATE TABLE device_codes (
    hash       TEXT   NOT NULL PRIMARY KEY,
    user_code  TEXT   NOT NULL UNIQUE,
    app        TEXT   NOT NULL REFERENCES apps (id),
    scopes     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- When the device has asked last.
    polled_at  BIGINT,
    -- What the person has decided.
    denied_at  BIGINT,
    app_grant  TEXT REFERENCES app_grants (id)
);

CREATE INDEX device_codes_by_expiry ON device_codes (expires_at);
CREATE INDEX device_codes_by_app ON device_codes (app);
CREATE INDEX device_codes_by_grant ON device_codes (app_grant) WHERE app_grant IS NOT NULL;

CREATE TABLE tokens (
    id           TEXT   NOT NULL PRIMARY KEY,
    account      TEXT   NOT NULL REFERENCES accounts (id),
    hash         TEXT   NOT NULL UNIQUE,
    -- What it is for, in its owner's words.
    name         TEXT   NOT NULL,
    -- Words with a space between.
    scopes       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    -- Written about once an hour.
    last_used_at BIGINT,
    revoked_at   BIGINT,
    -- The token with which this one was created: revoking it revokes both.
    parent       TEXT REFERENCES tokens (id),
    -- What allows an app to use it; null for tokens that are of no app.
    app_grant    TEXT REFERENCES app_grants (id)
);

CREATE INDEX tokens_by_account ON tokens (account, id);
CREATE INDEX tokens_by_parent ON tokens (parent) WHERE parent IS NOT NULL;
CREATE INDEX tokens_by_grant ON tokens (app_grant) WHERE app_grant IS NOT NULL;

-- The passwords of accounts that have one: Argon2id in the PHC string format.
CREATE TABLE passwords (
    account    TEXT   NOT NULL PRIMARY KEY REFERENCES accounts (id),
    hash       TEXT   NOT NULL,
    changed_at BIGINT NOT NULL
);

-- The passkeys (WebAuthn) of accounts.
CREATE TABLE passkeys (
    id         TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES accounts (id),
    -- The id of the credential, in hexadecimal digits.
    credential TEXT   NOT NULL UNIQUE,
    -- JSON: the public key, the counter of signatures, and the state of backup.
    content    TEXT   NOT NULL,
    name       TEXT   NOT NULL,
    backed_up  BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE INDEX passkeys_by_account ON passkeys (account, id);

-- Ceremonies of passkeys that have begun. The row is deleted at the end, or some minutes later.
CREATE TABLE passkey_ceremonies (
    -- SHA-256 of the secret that ends it.
    hash       TEXT   NOT NULL PRIMARY KEY,
    -- JSON: the challenge, and the handle and the id of a new account.
    state      TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX passkey_ceremonies_by_expiry ON passkey_ceremonies (expires_at);

-- Codes that replace a forgotten password. A used code is deleted.
CREATE TABLE recovery_codes (
    account TEXT NOT NULL REFERENCES accounts (id),
    hash    TEXT NOT NULL,
    -- Until when a mailed code is valid; null for codes that last.
    expires_at BIGINT,
    PRIMARY KEY (account, hash)
);

-- Browsers that are signed in. The row of a session that ends is deleted.
CREATE TABLE sessions (
    id         TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES accounts (id),
    hash       TEXT   NOT NULL UNIQUE,
    -- The browser and the system, from the user agent.
    device     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    -- The begin of the last day with a request.
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX sessions_by_account ON sessions (account, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- The e-mail addresses of accounts that have one.
CREATE TABLE mail_addresses (
    account      TEXT   NOT NULL PRIMARY KEY REFERENCES accounts (id),
    address      TEXT   NOT NULL,
    -- The language of mails.
    language     TEXT   NOT NULL,
    confirmed_at BIGINT,
    -- The code of the links that end mails.
    unsubscribe  TEXT   NOT NULL UNIQUE,
    created_at   BIGINT NOT NULL
);

-- The hashes of tokens that confirm an address.
CREATE TABLE mail_tokens (
    hash       TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES accounts (id),
    address    TEXT   NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX mail_tokens_by_account ON mail_tokens (account);

-- Leagues ---------------------------------------------------------------------------------------------------------

CREATE TABLE leagues (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    visibility TEXT   NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private')),
    -- The last event, its chained hash, and the signature of the log up to it as JSON (null without a signing key).
    seq        BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    signature  TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Since when an administrator allows no changes.
    closed_at  BIGINT
);

CREATE INDEX leagues_by_visibility ON leagues (visibility, id);

CREATE TABLE league_events (
    league       TEXT   NOT NULL,
    seq          BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    -- The account that did it; null for what the service did.
    account      TEXT,
    text         TEXT   NOT NULL,
    hash         TEXT   NOT NULL,
    -- Position in the log of all leagues, from 1 without gaps, and the end of the log of all games at that time.
    position     BIGINT NOT NULL UNIQUE,
    log_position BIGINT NOT NULL,
    PRIMARY KEY (league, seq)
);

-- Games whose league appends an event when they end.
CREATE TABLE league_games (
    game   TEXT NOT NULL PRIMARY KEY,
    league TEXT NOT NULL,
    -- When the clocks of the game stand still, as JSON.
    pauses TEXT
);

-- Answers to the questions of a league, which its organizers read.
CREATE TABLE league_registrations (
    league     TEXT   NOT NULL,
    account    TEXT   NOT NULL,
    -- A list of pairs of question and answer, as JSON.
    answers    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (league, account)
);

CREATE INDEX league_registrations_by_account ON league_registrations (account);

-- Ratings ---------------------------------------------------------------------------------------------------------

CREATE TABLE ratings (
    run         BIGINT NOT NULL,
    player      TEXT   NOT NULL,
    -- Empty for the rating over all editions.
    edition     TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    rating      BIGINT NOT NULL,
    uncertainty BIGINT NOT NULL,
    ordinal     BIGINT NOT NULL,
    games       BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (run, player, edition)
) WITHOUT ROWID;

CREATE INDEX ratings_by_ordinal ON ratings (run, kind, edition, ordinal, player);

CREATE TABLE rating_changes (
    run                BIGINT NOT NULL,
    -- Where the game ended in the log of all games; of an over-the-board result its position in the log of all leagues.
    position           BIGINT NOT NULL,
    league_position    BIGINT NOT NULL,
    player             TEXT   NOT NULL,
    edition            TEXT   NOT NULL,
    -- The game, or the league and the number of its table.
    game               TEXT   NOT NULL,
    league_table       BIGINT NOT NULL,
    at                 BIGINT NOT NULL,
    place              BIGINT NOT NULL,
    players            BIGINT NOT NULL,
    rating_before      BIGINT NOT NULL,
    uncertainty_before BIGINT NOT NULL,
    rating             BIGINT NOT NULL,
    uncertainty        BIGINT NOT NULL,
    PRIMARY KEY (run, position, league_position, player, edition)
) WITHOUT ROWID;

CREATE INDEX rating_changes_by_player ON rating_changes (run, player, edition, position, league_position);

-- The run of ratings that is shown; the projection `ratings` says which one is written. One row.
CREATE TABLE ratings_shown (
    id    BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    run   BIGINT NOT NULL,
    -- Whether a result that was counted has been corrected since.
    stale BIGINT NOT NULL
);
INSERT INTO ratings_shown VALUES (1, 0, 0);

-- Webhooks --------------------------------------------------------------------------------------------------------

CREATE TABLE webhooks (
    id               TEXT   NOT NULL PRIMARY KEY,
    account          TEXT   NOT NULL REFERENCES accounts (id),
    url              TEXT   NOT NULL,
    -- Types of events: words with a space between.
    events           TEXT   NOT NULL,
    -- standard, discord or slack, and the language of its sentences.
    format           TEXT   NOT NULL,
    language         TEXT   NOT NULL,
    -- The player whose games it reports, the game, or the league: one of the three.
    player           TEXT,
    game             TEXT,
    league           TEXT,
    -- The secret that signs deliveries, and the one before it, which also signs them until a time.
    secret           TEXT   NOT NULL,
    old_secret       TEXT,
    old_secret_until BIGINT NOT NULL,
    -- It reports events after this position of the log of all games; of a league, of the log of all leagues.
    since            BIGINT NOT NULL,
    created_at       BIGINT NOT NULL,
    -- Since when every attempt has failed.
    failing_since    BIGINT,
    disabled_at      BIGINT,
    disabled_because TEXT
);

CREATE INDEX webhooks_by_account ON webhooks (account, id);
CREATE INDEX webhooks_by_player ON webhooks (player) WHERE player IS NOT NULL;
CREATE INDEX webhooks_by_game ON webhooks (game) WHERE game IS NOT NULL;
CREATE INDEX webhooks_by_league ON webhooks (league) WHERE league IS NOT NULL;

CREATE TABLE deliveries (
    -- The header webhook-id.
    id           TEXT   NOT NULL PRIMARY KEY,
    webhook      TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    game         TEXT,
    league       TEXT,
    seq          BIGINT,
    body         TEXT   NOT NULL,
    -- pending, delivered or failed.
    status       TEXT   NOT NULL,
    attempts     BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    attempted_at BIGINT,
    next_at      BIGINT,
    -- The status of the last response, or why there was none.
    answered     BIGINT,
    failure      TEXT
);

CREATE INDEX deliveries_by_webhook ON deliveries (webhook, id);
CREATE INDEX deliveries_pending ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL;

-- Notices ---------------------------------------------------------------------------------------------------------

-- What an account receives notices of.
CREATE TABLE notice_choices (
    account      TEXT   NOT NULL REFERENCES accounts (id),
    type         TEXT   NOT NULL,
    -- never, each or daily.
    mail         TEXT   NOT NULL,
    push         BIGINT NOT NULL,
    -- Events after these positions of the logs of all games and of all leagues are sent.
    since        BIGINT NOT NULL,
    league_since BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (account, type)
);

-- The key that identifies the server to push services: 64 hexadecimal digits. One row, once it is needed.
CREATE TABLE push_key (
    id         BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    secret     TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Browsers that receive push messages.
CREATE TABLE push_subscriptions (
    id         TEXT   NOT NULL PRIMARY KEY,
    account    TEXT   NOT NULL REFERENCES accounts (id),
    endpoint   TEXT   NOT NULL UNIQUE,
    -- The public key and the secret of the browser.
    key        TEXT   NOT NULL,
    auth       TEXT   NOT NULL,
    device     TEXT   NOT NULL,
    language   TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account, id);

-- Mails and push messages that are scheduled, sent or failed.
CREATE TABLE notices (
    id           TEXT   NOT NULL PRIMARY KEY,
    -- The account; of a request to recover a password, any id if there is no account.
    account      TEXT   NOT NULL,
    -- mail, daily or push.
    channel      TEXT   NOT NULL,
    type         TEXT   NOT NULL,
    -- What it is about. A notice is stored once.
    occasion     TEXT   NOT NULL UNIQUE,
    subscription TEXT,
    game         TEXT,
    league       TEXT,
    seq          BIGINT,
    due_at       BIGINT,
    created_at   BIGINT NOT NULL,
    -- Null if it is sent or failed.
    next_at      BIGINT,
    attempts     BIGINT NOT NULL
);

CREATE INDEX notices_by_account ON notices (account, created_at);
CREATE INDEX notices_pending ON notices (account, next_at) WHERE next_at IS NOT NULL;

-- Moderation ------------------------------------------------------------------------------------------------------

-- What administrators did.
CREATE TABLE administrator_acts (
    -- UUIDv7.
    id      TEXT   NOT NULL PRIMARY KEY,
    at      BIGINT NOT NULL,
    -- The account of the administrator.
    account TEXT   NOT NULL,
    type    TEXT   NOT NULL,
    -- The id of an account, game, league or report; of other requests the method and path.
    subject TEXT   NOT NULL,
    detail  TEXT,
    reason  TEXT
);

CREATE INDEX administrator_acts_by_subject ON administrator_acts (subject, id);

-- What players have reported.
CREATE TABLE reports (
    -- UUIDv7.
    id          TEXT   NOT NULL PRIMARY KEY,
    at          BIGINT NOT NULL,
    -- The account that reported it.
    account     TEXT   NOT NULL,
    -- account, game or league, and its id.
    kind        TEXT   NOT NULL,
    subject     TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    resolved_at BIGINT
);

CREATE INDEX reports_by_account ON reports (account, subject) WHERE resolved_at IS NULL;
CREATE INDEX reports_open ON reports (id) WHERE resolved_at IS NULL;

-- The service itself ----------------------------------------------------------------------------------------------

-- Scheduled work: bots' turns, signatures, checkpoints, deadlines, deliveries, notices.
CREATE TABLE work (
    kind           TEXT   NOT NULL,
    -- The id of the game, webhook or account that it is about.
    subject        TEXT   NOT NULL,
    due_at         BIGINT NOT NULL,
    -- The node that does it, until the lease ends.
    owner          TEXT,
    leased_until   BIGINT NOT NULL,
    -- How often it failed in a row, why the last time, and since when it is not retried.
    attempts       BIGINT NOT NULL,
    failure        TEXT,
    quarantined_at BIGINT,
    -- SHA-256 of the caller to whom it is charged.
    charged_to     TEXT,
    PRIMARY KEY (kind, subject)
);

CREATE INDEX work_by_due ON work (due_at);
CREATE INDEX work_by_charge ON work (charged_to) WHERE charged_to IS NOT NULL;

-- How far each projection is applied: up to which event of the log of all games, and of that of all leagues. A run
-- begins at the start of the logs, by a version of what is derived.
CREATE TABLE projections (
    name            TEXT   NOT NULL PRIMARY KEY,
    version         BIGINT NOT NULL,
    run             BIGINT NOT NULL,
    position        BIGINT NOT NULL,
    league_position BIGINT NOT NULL
);

-- Written by health checks.
CREATE TABLE probe (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);
INSERT INTO probe VALUES (1, 0);

-- The highest version of the program that has opened the database for writing. Older programs refuse it.
CREATE TABLE program (
    id      BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    version TEXT   NOT NULL
);

-- The running nodes. Each writes the time of its own clock once a minute.
CREATE TABLE nodes (
    id         TEXT   NOT NULL PRIMARY KEY,
    version    TEXT   NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    -- By how many microseconds its clock was set ahead (or back) while it ran.
    jumped     BIGINT NOT NULL
);
