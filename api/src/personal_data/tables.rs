//! What the tables of the database contain of an account.

use self::Shown::{Flag, Json, Millionths, Plain, Time};

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// As it is stored.
    Plain,
    /// Microseconds since 1970, as a time.
    Time,
    /// Text that contains JSON.
    Json,
    /// 0 or 1, as a boolean.
    Flag,
    /// Millionths, as a number.
    Millionths,
}

/// Rows of a table that concern an account.
#[derive(Clone, Copy, Debug)]
pub struct ExportedRows {
    /// The name in the export.
    pub name: &'static str,
    /// The exported columns.
    pub columns: &'static [(&'static str, Shown)],
    /// The condition in SQL; `$1` is the id of the account.
    pub condition: &'static str,
    /// The columns by which the rows are sorted.
    pub order: &'static str,
}

/// A table of the database.
#[derive(Clone, Copy, Debug)]
pub struct StoredTable {
    /// Its name.
    pub name: &'static str,
    /// The exported rows.
    pub exported: &'static [ExportedRows],
    /// The columns that are not exported, and why.
    pub excluded: &'static [(&'static [&'static str], &'static str)],
}

const SECRET: &str = "the hash of a secret, or the secret itself";
const OWN_ID: &str = "the id of the account, in every row";
const SERVICE: &str = "concerns the service, not persons";
const INTEGRITY: &str = "proves that the log is unchanged; nothing about persons";
const IN_RECORDS: &str = "in the records of the games";

/// The games in which an account plays, has a reserved seat or organizes.
const ITS_GAMES: &str = "id IN ( \
    SELECT games.id FROM game_players JOIN games ON games.number = game_players.game WHERE game_players.player = $1 \
    UNION SELECT game_id FROM seats WHERE invited = $1 \
    UNION SELECT id FROM games WHERE organizer_account = $1)";

/// The seats of an account, and those reserved for it.
const ITS_SEATS: &str = "(game_id, seat) IN ( \
    SELECT games.id, game_players.seat FROM game_players JOIN games ON games.number = game_players.game \
    WHERE game_players.player = $1 \
    UNION SELECT game_id, seat FROM seats WHERE invited = $1)";

/// The events of leagues that an account caused, or that name it.
const ITS_LEAGUE_EVENTS: &str = "account = $1 OR text LIKE '%' || $1 || '%'";

/// Every table of the schema.
pub const TABLES: &[StoredTable] = &[
    StoredTable {
        name: "accounts",
        exported: &[ExportedRows {
            name: "account",
            columns: &[
                ("id", Plain),
                ("handle", Plain),
                ("created_at", Time),
                ("deleted_at", Time),
                ("suspended_at", Time),
                ("bot", Flag),
                ("hides_strengths", Flag),
            ],
            condition: "id = $1",
            order: "id",
        }],
        excluded: &[(
            &["handle_key", "skeleton"],
            "the handle in forms that are compared",
        )],
    },
    StoredTable {
        name: "apps",
        exported: &[ExportedRows {
            name: "apps",
            columns: &[
                ("id", Plain),
                ("name", Plain),
                ("redirect_uris", Plain),
                ("home_page", Plain),
                ("created_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["account"], OWN_ID)],
    },
    StoredTable {
        name: "app_grants",
        exported: &[ExportedRows {
            name: "connected_apps",
            columns: &[
                ("id", Plain),
                ("app", Plain),
                ("scopes", Plain),
                ("created_at", Time),
                ("connected_at", Time),
                ("used_at", Time),
                ("expires_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["account"], OWN_ID)],
    },
    StoredTable {
        name: "authorization_codes",
        exported: &[],
        excluded: &[
            (&["hash", "challenge"], SECRET),
            (
                &["app_grant", "redirect_uri", "expires_at", "used_at"],
                "how an app received its first token; connected_apps has the time",
            ),
        ],
    },
    StoredTable {
        name: "refresh_tokens",
        exported: &[],
        excluded: &[
            (&["hash"], SECRET),
            (
                &["app_grant", "created_at", "used_at"],
                "how an app received its tokens; connected_apps has the last time",
            ),
        ],
    },
    StoredTable {
        name: "device_codes",
        exported: &[],
        excluded: &[
            (&["hash", "user_code"], SECRET),
            (
                &[
                    "app",
                    "scopes",
                    "created_at",
                    "expires_at",
                    "polled_at",
                    "denied_at",
                    "app_grant",
                ],
                "the request of a device, for some minutes; connected_apps has what was allowed",
            ),
        ],
    },
    StoredTable {
        name: "tokens",
        exported: &[ExportedRows {
            name: "tokens",
            columns: &[
                ("id", Plain),
                ("name", Plain),
                ("scopes", Plain),
                ("created_at", Time),
                ("expires_at", Time),
                ("last_used_at", Time),
                ("revoked_at", Time),
                ("parent", Plain),
                ("app_grant", Plain),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["hash"], SECRET), (&["account"], OWN_ID)],
    },
    StoredTable {
        name: "passwords",
        exported: &[ExportedRows {
            name: "passwords",
            columns: &[("changed_at", Time)],
            condition: "account = $1",
            order: "changed_at",
        }],
        excluded: &[(&["hash"], SECRET), (&["account"], OWN_ID)],
    },
    StoredTable {
        name: "passkeys",
        exported: &[ExportedRows {
            name: "passkeys",
            columns: &[
                ("id", Plain),
                ("name", Plain),
                ("backed_up", Flag),
                ("created_at", Time),
                ("used_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[
            (
                &["credential", "content"],
                "the public key of the passkey, for your authenticator only",
            ),
            (&["account"], OWN_ID),
        ],
    },
    StoredTable {
        name: "passkey_ceremonies",
        exported: &[],
        excluded: &[(
            &["hash", "state", "expires_at"],
            "deleted after some minutes, and secret until then",
        )],
    },
    StoredTable {
        name: "recovery_codes",
        exported: &[],
        excluded: &[(&["account", "hash", "expires_at"], SECRET)],
    },
    StoredTable {
        name: "sessions",
        exported: &[ExportedRows {
            name: "sessions",
            columns: &[
                ("id", Plain),
                ("device", Plain),
                ("created_at", Time),
                ("seen_at", Time),
                ("expires_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["hash"], SECRET), (&["account"], OWN_ID)],
    },
    StoredTable {
        name: "mail_addresses",
        exported: &[ExportedRows {
            name: "mail_addresses",
            columns: &[
                ("address", Plain),
                ("language", Plain),
                ("confirmed_at", Time),
                ("created_at", Time),
            ],
            condition: "account = $1",
            order: "address",
        }],
        excluded: &[(&["unsubscribe"], SECRET), (&["account"], OWN_ID)],
    },
    StoredTable {
        name: "mail_tokens",
        exported: &[],
        excluded: &[(&["hash", "account", "address", "expires_at"], SECRET)],
    },
    StoredTable {
        name: "notice_choices",
        exported: &[ExportedRows {
            name: "notice_choices",
            columns: &[
                ("type", Plain),
                ("mail", Plain),
                ("push", Flag),
                ("created_at", Time),
            ],
            condition: "account = $1",
            order: "type",
        }],
        excluded: &[
            (&["account"], OWN_ID),
            (&["since", "league_since"], SERVICE),
        ],
    },
    StoredTable {
        name: "push_key",
        exported: &[],
        excluded: &[(&["id", "secret", "created_at"], SECRET)],
    },
    StoredTable {
        name: "push_subscriptions",
        exported: &[ExportedRows {
            name: "push_subscriptions",
            columns: &[
                ("id", Plain),
                ("endpoint", Plain),
                ("device", Plain),
                ("language", Plain),
                ("created_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["key", "auth"], SECRET), (&["account"], OWN_ID)],
    },
    StoredTable {
        name: "notices",
        exported: &[ExportedRows {
            name: "notices",
            columns: &[
                ("id", Plain),
                ("channel", Plain),
                ("type", Plain),
                ("subscription", Plain),
                ("game", Plain),
                ("league", Plain),
                ("seq", Plain),
                ("due_at", Time),
                ("created_at", Time),
                ("next_at", Time),
                ("attempts", Plain),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[
            (&["account"], OWN_ID),
            (&["occasion"], "the same in one text, to store it once"),
        ],
    },
    StoredTable {
        name: "games",
        exported: &[
            ExportedRows {
                name: "games",
                columns: &[
                    ("id", Plain),
                    ("edition", Plain),
                    ("board", Plain),
                    ("status", Plain),
                    ("visibility", Plain),
                    ("claims", Plain),
                    ("rated", Flag),
                    ("league", Plain),
                    ("source", Plain),
                    ("created_at", Time),
                    ("updated_at", Time),
                    ("due_at", Time),
                    ("rematch", Plain),
                    ("result", Json),
                    ("recorded_at", Time),
                    ("rounds", Plain),
                    ("reason", Plain),
                    ("texts_hidden", Flag),
                ],
                condition: ITS_GAMES,
                order: "id",
            },
            ExportedRows {
                name: "organized_games",
                columns: &[("id", Plain)],
                condition: "organizer_account = $1",
                order: "id",
            },
        ],
        excluded: &[
            (&["organizer"], SECRET),
            (
                &["organizer_account"],
                "organized_games lists the games of the account",
            ),
            (
                &["seed", "seed_known"],
                "secret while the game runs, and then in its record",
            ),
            (&["setup"], IN_RECORDS),
            (&["signature"], IN_RECORDS),
            (
                &["pending", "waiting_for", "bot_due"],
                "follows from the position, which the record contains",
            ),
            (
                &["seq", "hash", "version", "number", "finished_position"],
                INTEGRITY,
            ),
        ],
    },
    StoredTable {
        name: "chats",
        exported: &[],
        excluded: &[(&["game", "is_off", "last_message"], SERVICE)],
    },
    StoredTable {
        name: "biddings",
        exported: &[],
        excluded: &[(
            &["game", "bidding"],
            "secret while players bid, and then in the answer about the game",
        )],
    },
    StoredTable {
        name: "messages",
        exported: &[ExportedRows {
            name: "messages",
            columns: &[
                ("game", Plain),
                ("number", Plain),
                ("seat", Plain),
                ("text", Plain),
                ("at", Time),
            ],
            condition: "player = $1",
            order: "game, number",
        }],
        excluded: &[(&["player"], OWN_ID)],
    },
    StoredTable {
        name: "annotations",
        exported: &[ExportedRows {
            name: "annotations",
            columns: &[("game", Plain), ("content", Json), ("updated_at", Time)],
            condition: "account = $1",
            order: "game",
        }],
        excluded: &[(&["account"], OWN_ID)],
    },
    StoredTable {
        name: "seats",
        exported: &[
            ExportedRows {
                name: "seats",
                columns: &[
                    ("game_id", Plain),
                    ("seat", Plain),
                    ("kind", Plain),
                    ("player_id", Plain),
                    ("name", Plain),
                    ("orders", Json),
                    ("consent", Plain),
                    ("invited", Plain),
                ],
                condition: ITS_SEATS,
                order: "game_id, seat",
            },
            ExportedRows {
                name: "lost_seats",
                columns: &[("game_id", Plain), ("seat", Plain)],
                condition: "former = $1",
                order: "game_id, seat",
            },
        ],
        excluded: &[
            (&["token"], SECRET),
            (&["former"], "lost_seats lists the seats of the account"),
        ],
    },
    StoredTable {
        name: "game_players",
        exported: &[],
        excluded: &[(
            &[
                "game",
                "seat",
                "player",
                "name",
                "public",
                "created_at",
                "ended_at",
                "rounds",
                "nation",
                "opening",
                "won",
            ],
            "copied from seats and records, for lists",
        )],
    },
    StoredTable {
        name: "events",
        exported: &[],
        excluded: &[
            (
                &["game", "seq", "turn", "player", "notation", "at", "digest"],
                IN_RECORDS,
            ),
            (&["position", "hash_start"], INTEGRITY),
        ],
    },
    StoredTable {
        name: "log_end",
        exported: &[],
        excluded: &[(&["id", "position", "version"], SERVICE)],
    },
    StoredTable {
        name: "invitation_codes",
        exported: &[],
        excluded: &[(&["game", "code"], SECRET)],
    },
    StoredTable {
        name: "idempotency_keys",
        exported: &[],
        excluded: &[(
            &["caller", "key", "request", "answer", "created_at"],
            "answers that the caller has received, for a day, under hashes that name no account",
        )],
    },
    StoredTable {
        name: "keys",
        exported: &[],
        excluded: &[(&["id", "public_key", "created_at", "retired_at"], SERVICE)],
    },
    StoredTable {
        name: "checkpoints",
        exported: &[],
        excluded: &[(
            &[
                "number",
                "at",
                "position",
                "games",
                "root",
                "previous",
                "key",
                "value",
                "league_position",
                "leagues",
                "league_root",
                "league_value",
            ],
            INTEGRITY,
        )],
    },
    StoredTable {
        name: "tlog_leaves",
        exported: &[],
        excluded: &[(
            &["leaf_index", "kind", "subject", "leaf", "added_at"],
            INTEGRITY,
        )],
    },
    StoredTable {
        name: "tlog_hashes",
        exported: &[],
        excluded: &[(&["level", "hash_index", "hash"], INTEGRITY)],
    },
    StoredTable {
        name: "tlog_head",
        exported: &[],
        excluded: &[(&["id", "origin", "size", "note"], INTEGRITY)],
    },
    StoredTable {
        name: "administrator_acts",
        exported: &[ExportedRows {
            name: "acts_of_administrators",
            columns: &[
                ("id", Plain),
                ("at", Time),
                ("type", Plain),
                ("subject", Plain),
                ("detail", Plain),
                ("reason", Plain),
            ],
            condition: "subject = $1 OR account = $1",
            order: "id",
        }],
        excluded: &[(&["account"], "the administrator")],
    },
    StoredTable {
        name: "reports",
        exported: &[ExportedRows {
            name: "reports",
            columns: &[
                ("id", Plain),
                ("at", Time),
                ("kind", Plain),
                ("subject", Plain),
                ("text", Plain),
                ("resolved_at", Time),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[(&["account"], OWN_ID)],
    },
    StoredTable {
        name: "leagues",
        exported: &[ExportedRows {
            name: "leagues",
            columns: &[
                ("id", Plain),
                ("name", Plain),
                ("visibility", Plain),
                ("created_at", Time),
                ("updated_at", Time),
                ("closed_at", Time),
            ],
            condition: "id IN (SELECT league FROM league_events WHERE account = $1 OR text LIKE '%' || $1 || '%')",
            order: "id",
        }],
        excluded: &[(&["seq", "hash", "signature"], INTEGRITY)],
    },
    StoredTable {
        name: "league_events",
        exported: &[ExportedRows {
            name: "league_events",
            columns: &[
                ("league", Plain),
                ("seq", Plain),
                ("at", Time),
                ("account", Plain),
                ("text", Json),
            ],
            condition: ITS_LEAGUE_EVENTS,
            order: "league, seq",
        }],
        excluded: &[(&["hash", "position", "log_position"], INTEGRITY)],
    },
    StoredTable {
        name: "league_games",
        exported: &[],
        excluded: &[
            (&["game", "league"], "games name their league"),
            (
                &["pauses"],
                "when clocks stand still; the events of the league have it",
            ),
        ],
    },
    StoredTable {
        name: "league_registrations",
        exported: &[ExportedRows {
            name: "league_registrations",
            columns: &[("league", Plain), ("answers", Json), ("created_at", Time)],
            condition: "account = $1",
            order: "league",
        }],
        excluded: &[(&["account"], OWN_ID)],
    },
    StoredTable {
        name: "ratings",
        exported: &[ExportedRows {
            name: "ratings",
            columns: &[
                ("edition", Plain),
                ("rating", Millionths),
                ("uncertainty", Millionths),
                ("ordinal", Millionths),
                ("games", Plain),
                ("updated_at", Time),
            ],
            condition: "player = $1 AND run = (SELECT run FROM ratings_shown)",
            order: "edition",
        }],
        excluded: &[(&["player"], OWN_ID), (&["run", "kind"], SERVICE)],
    },
    StoredTable {
        name: "rating_changes",
        exported: &[ExportedRows {
            name: "rating_changes",
            columns: &[
                ("edition", Plain),
                ("game", Plain),
                ("league_table", Plain),
                ("at", Time),
                ("place", Plain),
                ("players", Plain),
                ("rating_before", Millionths),
                ("uncertainty_before", Millionths),
                ("rating", Millionths),
                ("uncertainty", Millionths),
            ],
            condition: "player = $1 AND run = (SELECT run FROM ratings_shown)",
            order: "edition, \"position\", league_position",
        }],
        excluded: &[
            (&["player"], OWN_ID),
            (&["run", "position", "league_position"], SERVICE),
        ],
    },
    StoredTable {
        name: "ratings_shown",
        exported: &[],
        excluded: &[(&["id", "run", "stale"], SERVICE)],
    },
    StoredTable {
        name: "webhooks",
        exported: &[ExportedRows {
            name: "webhooks",
            columns: &[
                ("id", Plain),
                ("url", Plain),
                ("events", Plain),
                ("format", Plain),
                ("language", Plain),
                ("player", Plain),
                ("game", Plain),
                ("league", Plain),
                ("created_at", Time),
                ("failing_since", Time),
                ("disabled_at", Time),
                ("disabled_because", Plain),
            ],
            condition: "account = $1",
            order: "id",
        }],
        excluded: &[
            (&["secret", "old_secret", "old_secret_until"], SECRET),
            (&["account"], OWN_ID),
            (&["since"], SERVICE),
        ],
    },
    StoredTable {
        name: "deliveries",
        exported: &[ExportedRows {
            name: "deliveries",
            columns: &[
                ("id", Plain),
                ("webhook", Plain),
                ("type", Plain),
                ("game", Plain),
                ("league", Plain),
                ("seq", Plain),
                ("body", Json),
                ("status", Plain),
                ("attempts", Plain),
                ("created_at", Time),
                ("attempted_at", Time),
                ("next_at", Time),
                ("answered", Plain),
                ("failure", Plain),
            ],
            condition: "webhook IN (SELECT id FROM webhooks WHERE account = $1)",
            order: "id",
        }],
        excluded: &[],
    },
    StoredTable {
        name: "work",
        exported: &[],
        excluded: &[
            (
                &[
                    "kind",
                    "subject",
                    "due_at",
                    "owner",
                    "leased_until",
                    "attempts",
                    "failure",
                    "quarantined_at",
                ],
                "what is to be done about a game, a webhook or an account; nothing about persons",
            ),
            (
                &["charged_to"],
                "the hash of an address or a token, until the work is done",
            ),
        ],
    },
    StoredTable {
        name: "projections",
        exported: &[],
        excluded: &[(
            &["name", "version", "run", "position", "league_position"],
            SERVICE,
        )],
    },
    StoredTable {
        name: "probe",
        exported: &[],
        excluded: &[(&["id", "at"], SERVICE)],
    },
    StoredTable {
        name: "program",
        exported: &[],
        excluded: &[(&["id", "version"], SERVICE)],
    },
    StoredTable {
        name: "nodes",
        exported: &[],
        excluded: &[(
            &["id", "version", "started_at", "seen_at", "jumped"],
            SERVICE,
        )],
    },
];
