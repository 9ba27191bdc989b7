//! The routes, grouped by resource. Handlers read the request, call one service and write the answer.

use actix_web::web;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::accounts::handlers as players;
use crate::analysis::handlers as analysis;
use crate::annotations::handlers as annotations;
use crate::chat::handlers as chat;
use crate::content::{boards, drawings, editions, rules};
use crate::datasets::handlers as datasets;
use crate::games::handlers::{
    actions, engine, events, games, history, imports, invitations, lists, notifications, pictures,
    records, seats,
};
use crate::leagues::handlers::{
    calendar, exchange, groups, league, members, pauses, standings, tables,
};
use crate::leagues::registration::handlers as registration;
use crate::leagues::reports::handlers as reports;
use crate::moderation::handlers as moderation;
use crate::notices::handlers as notices;
use crate::oauth::handlers as oauth;
use crate::personal_data::handlers as personal_data;
use crate::ratings::handlers as ratings;
use crate::server::{index, limits, operations};
use crate::sessions::handlers as sessions;
use crate::sessions::passkey_handlers as passkeys;
use crate::signing::handlers as signing;
use crate::statistics::handlers as statistics;
use crate::statistics::{comparison, strengths};
use crate::webhooks::handlers as webhooks;

/// Defines both ways to add routes to an application.
macro_rules! routes {
    ($($route:path,)*) => {
        /// Adds every documented route.
        pub fn configure(service: &mut web::ServiceConfig) {
            service$(.service($route))*;
            statistics::measures(service);
        }

        /// Adds every documented route together with its documentation.
        pub fn document(service: &mut ServiceConfig<'_>) {
            service$(.service($route))*.service(statistics::measure_statistics);
        }
    };
}

routes! {
    // All documented routes. A request is compared with them in this order, so the most requested come first.
    lists::count_games,
    games::get_game,
    actions::submit_action,
    actions::list_legal_actions,
    events::list_game_events,
    index::get_root,
    index::get_index,
    editions::list_editions,
    editions::get_edition,
    editions::get_edition_version,
    rules::list_rules,
    rules::get_rule,
    // Before the routes whose last part matches any name.
    drawings::draw_board_svg,
    drawings::draw_board_png,
    pictures::draw_state_svg,
    pictures::draw_state_png,
    boards::list_boards,
    boards::get_board,
    boards::get_board_version,
    games::create_game,
    lists::list_games,
    games::abandon_game,
    games::set_organizer,
    games::create_rematch,
    lists::list_my_games,
    lists::list_player_games,
    seats::claim_seat,
    seats::replace_player,
    seats::adopt_seat,
    seats::leave_seat,
    seats::bid,
    seats::get_orders,
    seats::set_orders,
    invitations::create_invitation,
    invitations::delete_invitation,
    invitations::accept_invitation,
    invitations::get_invitation,
    invitations::claim_invitation,
    chat::get_chat,
    chat::send_message,
    chat::switch_chat,
    annotations::list_annotations,
    annotations::get_annotations,
    annotations::annotate,
    annotations::delete_annotations,
    actions::undo_actions,
    actions::decline_undo,
    actions::adjudicate,
    events::list_events,
    notifications::follow_my_events,
    history::get_state,
    history::get_record,
    history::get_proof,
    history::get_state_diff,
    imports::import_records,
    records::export_records,
    engine::apply_actions,
    engine::list_position_legal_actions,
    analysis::analyse_position,
    players::register_player,
    players::list_players,
    ratings::get_player,
    ratings::list_ratings,
    ratings::get_rating_history,
    strengths::get_player_strengths,
    league::create_league,
    league::list_leagues,
    league::get_league,
    league::list_league_events,
    members::add_league_member,
    members::remove_league_member,
    members::claim_league_member,
    members::add_league_organizer,
    members::remove_league_organizer,
    league::begin_league_season,
    groups::set_league_divisions,
    groups::get_next_league_divisions,
    groups::set_league_teams,
    groups::get_league_team_standings,
    groups::set_league_line_up,
    groups::place_league_member,
    groups::challenge_league_member,
    groups::withdraw_league_challenge,
    pauses::pause_league,
    pauses::end_league_pause,
    pauses::list_league_pauses,
    pauses::take_league_holiday,
    pauses::end_league_holiday,
    pauses::list_league_times,
    tables::create_league_tables,
    tables::list_league_tables,
    tables::enter_league_result,
    tables::correct_league_table,
    tables::move_league_deadline,
    standings::get_league_standings,
    standings::get_league_head_to_head,
    standings::get_league_bracket,
    standings::get_league_cross_table,
    tables::pair_league,
    members::set_league_role,
    registration::change_league_settings,
    registration::delete_league,
    registration::close_league_season,
    registration::register_for_league,
    registration::list_league_registrations,
    registration::create_league_invitation,
    registration::withdraw_league_invitation,
    reports::report_league_result,
    reports::list_league_reports,
    reports::answer_league_report,
    reports::dispute_league_result,
    reports::list_league_disputes,
    reports::answer_league_dispute,
    calendar::get_league_calendar,
    exchange::import_into_league,
    exchange::export_league,
    players::get_me,
    players::update_me,
    players::delete_me,
    personal_data::export_me,
    players::list_tokens,
    players::create_token,
    players::revoke_token,
    sessions::create_session,
    sessions::list_sessions,
    sessions::end_other_sessions,
    sessions::end_session,
    sessions::change_password,
    sessions::create_recovery_codes,
    oauth::create_app,
    oauth::list_apps,
    oauth::delete_app,
    oauth::list_connected_apps,
    oauth::disconnect_app,
    oauth::create_app_tokens,
    oauth::revoke_app_token,
    oauth::create_device_codes,
    oauth::get_server_metadata,
    notices::get_notices,
    notices::choose_notices,
    notices::get_mail_address,
    notices::set_mail_address,
    notices::delete_mail_address,
    notices::confirm_mail_address,
    notices::recover_password,
    notices::list_push_subscriptions,
    notices::create_push_subscription,
    notices::delete_push_subscription,
    passkeys::begin_passkey,
    passkeys::create_passkey_session,
    passkeys::list_passkeys,
    passkeys::add_passkey,
    passkeys::rename_passkey,
    passkeys::remove_passkey,
    moderation::create_report,
    moderation::list_reports,
    moderation::moderate,
    moderation::list_acts,
    webhooks::create_webhook,
    webhooks::list_webhooks,
    webhooks::get_webhook,
    webhooks::update_webhook,
    webhooks::delete_webhook,
    webhooks::replace_webhook_secret,
    webhooks::test_webhook,
    webhooks::list_webhook_deliveries,
    webhooks::redeliver,
    statistics::get_statistics_dictionary,
    comparison::compare_samples,
    datasets::list_datasets,
    datasets::get_dataset,
    datasets::get_dataset_file,
    limits::list_limits,
    signing::list_keys,
    signing::list_checkpoints,
    signing::get_checkpoint,
    operations::get_health,
    operations::get_readiness,
    operations::get_metrics,
}
