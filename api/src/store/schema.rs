//! The tables, the same in both databases: text, bytes and 64-bit numbers only.

diesel::table! {
    games (id) {
        id -> Text,
        edition -> Text,
        board -> Text,
        status -> Text,
        setup -> Text,
        seed -> Text,
        seed_known -> BigInt,
        seq -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        result -> Nullable<Text>,
        rated -> BigInt,
        league -> Nullable<Text>,
        source -> Text,
        organizer -> Nullable<Text>,
        bot_due -> BigInt,
        number -> BigInt,
        hash -> Text,
        signature -> Nullable<Text>,
        version -> BigInt,
        finished_position -> Nullable<BigInt>,
        due_at -> Nullable<BigInt>,
        organizer_account -> Nullable<Text>,
        visibility -> Text,
        claims -> Text,
        pending -> Nullable<Text>,
        waiting_for -> Nullable<Text>,
        rematch -> Nullable<Text>,
    }
}

diesel::table! {
    seats (game_id, seat) {
        game_id -> Text,
        seat -> BigInt,
        kind -> Text,
        player_id -> Nullable<Text>,
        name -> Nullable<Text>,
        token -> Nullable<Text>,
        orders -> Text,
        consent -> Nullable<Text>,
        invited -> Nullable<Text>,
    }
}

diesel::table! {
    players (player, created_at, game_id) {
        player -> Text,
        created_at -> BigInt,
        game_id -> Text,
    }
}

diesel::table! {
    names (name, created_at, game_id) {
        name -> Text,
        created_at -> BigInt,
        game_id -> Text,
    }
}

diesel::table! {
    events (game, seq) {
        game -> BigInt,
        seq -> BigInt,
        position -> BigInt,
        turn -> BigInt,
        player -> Nullable<Text>,
        nation -> Nullable<Text>,
        notation -> Text,
        digest -> Binary,
        hash_start -> Binary,
        at -> BigInt,
    }
}

diesel::table! {
    log_end (id) {
        id -> BigInt,
        position -> BigInt,
        version -> BigInt,
    }
}

diesel::table! {
    idempotency_keys (caller, key) {
        caller -> Text,
        key -> Text,
        request -> Text,
        answer -> Binary,
        created_at -> BigInt,
    }
}

diesel::table! {
    keys (id) {
        id -> Text,
        public_key -> Text,
        created_at -> BigInt,
        retired_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    checkpoints (number) {
        number -> BigInt,
        at -> BigInt,
        position -> BigInt,
        games -> BigInt,
        root -> Text,
        previous -> Nullable<Text>,
        key -> Text,
        value -> Text,
    }
}

diesel::table! {
    work (kind, subject) {
        kind -> Text,
        subject -> Text,
        due_at -> BigInt,
        owner -> Nullable<Text>,
        leased_until -> BigInt,
        attempts -> BigInt,
        failure -> Nullable<Text>,
        quarantined_at -> Nullable<BigInt>,
        charged_to -> Nullable<Text>,
    }
}

diesel::table! {
    accounts (id) {
        id -> Text,
        handle -> Text,
        handle_key -> Text,
        created_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    tokens (id) {
        id -> Text,
        account -> Text,
        hash -> Text,
        name -> Text,
        scopes -> Text,
        created_at -> BigInt,
        expires_at -> Nullable<BigInt>,
        last_used_at -> Nullable<BigInt>,
        revoked_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    probe (id) {
        id -> BigInt,
        at -> BigInt,
    }
}

diesel::allow_tables_to_appear_in_same_query!(games, seats, players, names, events, work);
diesel::allow_tables_to_appear_in_same_query!(accounts, tokens);
