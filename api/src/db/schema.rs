//! The tables, the same in both databases. Columns are text, bytes and 64-bit numbers only.

diesel::table! {
    games (id) {
        id -> Text,
        number -> BigInt,
        edition -> Text,
        board -> Text,
        status -> Text,
        visibility -> Text,
        claims -> Text,
        rated -> BigInt,
        league -> Nullable<Text>,
        source -> Text,
        setup -> Text,
        seed -> Text,
        seed_known -> BigInt,
        seq -> BigInt,
        hash -> Text,
        version -> BigInt,
        created_at -> BigInt,
        updated_at -> BigInt,
        pending -> Nullable<Text>,
        waiting_for -> Nullable<Text>,
        bot_due -> BigInt,
        due_at -> Nullable<BigInt>,
        organizer -> Nullable<Text>,
        organizer_account -> Nullable<Text>,
        rematch -> Nullable<Text>,
        result -> Nullable<Text>,
        signature -> Nullable<Text>,
        finished_position -> Nullable<BigInt>,
        recorded_at -> Nullable<BigInt>,
        rounds -> Nullable<BigInt>,
        reason -> Nullable<Text>,
        texts_hidden -> BigInt,
    }
}

diesel::table! {
    chats (game) {
        game -> Text,
        is_off -> BigInt,
        last_message -> BigInt,
    }
}

diesel::table! {
    biddings (game) {
        game -> Text,
        bidding -> Text,
    }
}

diesel::table! {
    messages (game, number) {
        game -> Text,
        number -> BigInt,
        seat -> Nullable<BigInt>,
        player -> Nullable<Text>,
        text -> Text,
        at -> BigInt,
    }
}

diesel::table! {
    annotations (game, account) {
        game -> Text,
        account -> Text,
        content -> Text,
        updated_at -> BigInt,
    }
}

diesel::table! {
    game_players (game, seat) {
        game -> BigInt,
        seat -> BigInt,
        player -> Text,
        name -> Nullable<Text>,
        public -> BigInt,
        created_at -> BigInt,
        ended_at -> Nullable<BigInt>,
        rounds -> Nullable<BigInt>,
        nation -> Nullable<Text>,
        opening -> Nullable<Text>,
        won -> Nullable<BigInt>,
    }
}

diesel::table! {
    projections (name) {
        name -> Text,
        version -> BigInt,
        run -> BigInt,
        position -> BigInt,
        league_position -> BigInt,
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
        former -> Nullable<Text>,
    }
}

diesel::table! {
    events (game, seq) {
        game -> BigInt,
        seq -> BigInt,
        position -> BigInt,
        turn -> BigInt,
        player -> Nullable<Text>,
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
        answer -> Text,
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
        league_position -> Nullable<BigInt>,
        leagues -> Nullable<BigInt>,
        league_root -> Nullable<Text>,
        league_value -> Nullable<Text>,
    }
}

diesel::table! {
    tlog_leaves (leaf_index) {
        leaf_index -> BigInt,
        kind -> Text,
        subject -> Text,
        leaf -> Text,
        added_at -> BigInt,
    }
}

diesel::table! {
    tlog_hashes (level, hash_index) {
        level -> BigInt,
        hash_index -> BigInt,
        hash -> Text,
    }
}

diesel::table! {
    tlog_head (id) {
        id -> BigInt,
        origin -> Text,
        size -> BigInt,
        note -> Text,
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
        skeleton -> Text,
        created_at -> BigInt,
        deleted_at -> Nullable<BigInt>,
        suspended_at -> Nullable<BigInt>,
        bot -> BigInt,
        hides_strengths -> BigInt,
    }
}

diesel::table! {
    apps (id) {
        id -> Text,
        account -> Text,
        name -> Text,
        redirect_uris -> Text,
        home_page -> Nullable<Text>,
        created_at -> BigInt,
    }
}

diesel::table! {
    app_grants (id) {
        id -> Text,
        app -> Text,
        account -> Text,
        scopes -> Text,
        created_at -> BigInt,
        connected_at -> Nullable<BigInt>,
        used_at -> Nullable<BigInt>,
        expires_at -> BigInt,
    }
}

diesel::table! {
    authorization_codes (hash) {
        hash -> Text,
        app_grant -> Text,
        redirect_uri -> Text,
        challenge -> Text,
        expires_at -> BigInt,
        used_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    refresh_tokens (hash) {
        hash -> Text,
        app_grant -> Text,
        created_at -> BigInt,
        used_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    device_codes (hash) {
        hash -> Text,
        user_code -> Text,
        app -> Text,
        scopes -> Text,
        created_at -> BigInt,
        expires_at -> BigInt,
        polled_at -> Nullable<BigInt>,
        denied_at -> Nullable<BigInt>,
        app_grant -> Nullable<Text>,
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
        parent -> Nullable<Text>,
        app_grant -> Nullable<Text>,
    }
}

diesel::table! {
    passwords (account) {
        account -> Text,
        hash -> Text,
        changed_at -> BigInt,
    }
}

diesel::table! {
    passkeys (id) {
        id -> Text,
        account -> Text,
        credential -> Text,
        content -> Text,
        name -> Text,
        backed_up -> BigInt,
        created_at -> BigInt,
        used_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    passkey_ceremonies (hash) {
        hash -> Text,
        state -> Text,
        expires_at -> BigInt,
    }
}

diesel::table! {
    recovery_codes (account, hash) {
        account -> Text,
        hash -> Text,
        expires_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    sessions (id) {
        id -> Text,
        account -> Text,
        hash -> Text,
        device -> Text,
        created_at -> BigInt,
        seen_at -> BigInt,
        expires_at -> BigInt,
    }
}

diesel::table! {
    mail_addresses (account) {
        account -> Text,
        address -> Text,
        language -> Text,
        confirmed_at -> Nullable<BigInt>,
        unsubscribe -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    mail_tokens (hash) {
        hash -> Text,
        account -> Text,
        address -> Text,
        expires_at -> BigInt,
    }
}

diesel::table! {
    notice_choices (account, kind) {
        account -> Text,
        #[sql_name = "type"]
        kind -> Text,
        mail -> Text,
        push -> BigInt,
        since -> BigInt,
        league_since -> BigInt,
        created_at -> BigInt,
    }
}

diesel::table! {
    push_key (id) {
        id -> BigInt,
        secret -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    push_subscriptions (id) {
        id -> Text,
        account -> Text,
        endpoint -> Text,
        key -> Text,
        auth -> Text,
        device -> Text,
        language -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    notices (id) {
        id -> Text,
        account -> Text,
        channel -> Text,
        #[sql_name = "type"]
        kind -> Text,
        occasion -> Text,
        subscription -> Nullable<Text>,
        game -> Nullable<Text>,
        league -> Nullable<Text>,
        seq -> Nullable<BigInt>,
        due_at -> Nullable<BigInt>,
        created_at -> BigInt,
        next_at -> Nullable<BigInt>,
        attempts -> BigInt,
    }
}

diesel::table! {
    webhooks (id) {
        id -> Text,
        account -> Text,
        url -> Text,
        events -> Text,
        format -> Text,
        language -> Text,
        player -> Nullable<Text>,
        game -> Nullable<Text>,
        league -> Nullable<Text>,
        secret -> Text,
        old_secret -> Nullable<Text>,
        old_secret_until -> BigInt,
        since -> BigInt,
        created_at -> BigInt,
        failing_since -> Nullable<BigInt>,
        disabled_at -> Nullable<BigInt>,
        disabled_because -> Nullable<Text>,
    }
}

diesel::table! {
    deliveries (id) {
        id -> Text,
        webhook -> Text,
        #[sql_name = "type"]
        kind -> Text,
        game -> Nullable<Text>,
        league -> Nullable<Text>,
        seq -> Nullable<BigInt>,
        body -> Text,
        status -> Text,
        attempts -> BigInt,
        created_at -> BigInt,
        attempted_at -> Nullable<BigInt>,
        next_at -> Nullable<BigInt>,
        answered -> Nullable<BigInt>,
        failure -> Nullable<Text>,
    }
}

diesel::table! {
    ratings (run, player, edition) {
        run -> BigInt,
        player -> Text,
        edition -> Text,
        kind -> Text,
        rating -> BigInt,
        uncertainty -> BigInt,
        ordinal -> BigInt,
        games -> BigInt,
        updated_at -> BigInt,
    }
}

diesel::table! {
    rating_changes (run, position, league_position, player, edition) {
        run -> BigInt,
        position -> BigInt,
        player -> Text,
        edition -> Text,
        game -> Text,
        at -> BigInt,
        place -> BigInt,
        players -> BigInt,
        rating_before -> BigInt,
        uncertainty_before -> BigInt,
        rating -> BigInt,
        uncertainty -> BigInt,
        league_position -> BigInt,
        league_table -> BigInt,
    }
}

diesel::table! {
    ratings_shown (id) {
        id -> BigInt,
        run -> BigInt,
        stale -> BigInt,
    }
}

diesel::table! {
    probe (id) {
        id -> BigInt,
        at -> BigInt,
    }
}

diesel::table! {
    program (id) {
        id -> BigInt,
        version -> Text,
    }
}

diesel::table! {
    nodes (id) {
        id -> Text,
        version -> Text,
        started_at -> BigInt,
        seen_at -> BigInt,
        jumped -> BigInt,
    }
}

diesel::table! {
    invitation_codes (game) {
        game -> Text,
        code -> Text,
    }
}

diesel::table! {
    leagues (id) {
        id -> Text,
        name -> Text,
        visibility -> Text,
        seq -> BigInt,
        hash -> Text,
        signature -> Nullable<Text>,
        created_at -> BigInt,
        updated_at -> BigInt,
        closed_at -> Nullable<BigInt>,
    }
}

diesel::table! {
    league_events (league, seq) {
        league -> Text,
        seq -> BigInt,
        at -> BigInt,
        account -> Nullable<Text>,
        text -> Text,
        hash -> Text,
        position -> BigInt,
        log_position -> BigInt,
    }
}

diesel::table! {
    league_games (game) {
        game -> Text,
        league -> Text,
        pauses -> Nullable<Text>,
    }
}

diesel::table! {
    league_registrations (league, account) {
        league -> Text,
        account -> Text,
        answers -> Text,
        created_at -> BigInt,
    }
}

diesel::table! {
    administrator_acts (id) {
        id -> Text,
        at -> BigInt,
        account -> Text,
        #[sql_name = "type"]
        kind -> Text,
        subject -> Text,
        detail -> Nullable<Text>,
        reason -> Nullable<Text>,
    }
}

diesel::table! {
    reports (id) {
        id -> Text,
        at -> BigInt,
        account -> Text,
        kind -> Text,
        subject -> Text,
        text -> Text,
        resolved_at -> Nullable<BigInt>,
    }
}

diesel::allow_tables_to_appear_in_same_query!(games, seats, game_players, events, work);
diesel::allow_tables_to_appear_in_same_query!(accounts, tokens, webhooks, sessions);
diesel::allow_tables_to_appear_in_same_query!(accounts, ratings);
diesel::allow_tables_to_appear_in_same_query!(accounts, annotations);
diesel::allow_tables_to_appear_in_same_query!(accounts, game_players);
diesel::allow_tables_to_appear_in_same_query!(accounts, apps);
diesel::allow_tables_to_appear_in_same_query!(apps, app_grants);
diesel::allow_tables_to_appear_in_same_query!(tokens, app_grants);
diesel::allow_tables_to_appear_in_same_query!(refresh_tokens, app_grants);
diesel::allow_tables_to_appear_in_same_query!(games, rating_changes, leagues);
diesel::allow_tables_to_appear_in_same_query!(leagues, league_events, league_games);
diesel::allow_tables_to_appear_in_same_query!(games, league_games);
diesel::allow_tables_to_appear_in_same_query!(games, tlog_leaves);
