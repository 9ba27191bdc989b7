//! The routes, grouped by resource. Handlers read the request, call one service and write the answer.

use actix_web::web;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::accounts::handlers as players;
use crate::analysis::handlers as analysis;
use crate::content::{boards, drawings, editions, rules};
use crate::datasets::handlers as datasets;
use crate::games::handlers::{
    actions, engine, events, games, history, imports, invitations, lists, news, pictures, records,
    seats,
};
use crate::leagues::handlers::{calendar, league, members, standings, tables};
use crate::ratings::handlers as ratings;
use crate::server::{index, limits, operations};
use crate::signing::handlers as signing;
use crate::statistics::handlers as statistics;
use crate::webhooks::handlers as webhooks;

/// Defines both ways to add routes to an application.
macro_rules! routes {
    ($($route:path,)*) => {
        /// Adds every documented route.
        pub fn configure(service: &mut web::ServiceConfig) {
            statistics::measures(service);
            service$(.service($route))*;
        }

        /// Adds every documented route together with its documentation.
        pub fn document(service: &mut ServiceConfig<'_>) {
            service$(.service($route))*;
        }
    };
}

routes! {
    // All documented routes.
    index::get_root,
    index::get_index,
    editions::list_editions,
    editions::get_edition,
    editions::get_edition_version,
    rules::list_rules,
    rules::get_rule,
    // Before the routes whose last part matches any name.
    drawings::draw_board,
    drawings::draw_board_in_pixels,
    pictures::draw_state,
    pictures::draw_state_in_pixels,
    boards::list_boards,
    boards::get_board,
    boards::get_board_version,
    games::create_game,
    lists::list_games,
    lists::count_games,
    games::get_game,
    games::abandon_game,
    games::change_organizer,
    games::rematch,
    lists::my_games,
    lists::players_games,
    seats::claim_seat,
    seats::replace_player,
    seats::leave_seat,
    seats::get_orders,
    seats::set_orders,
    invitations::make_invitation_code,
    invitations::withdraw_invitation_code,
    invitations::take_up_invitation,
    actions::act,
    actions::legal_actions,
    actions::undo,
    actions::decline_undo,
    actions::adjudicate,
    events::game_events,
    events::all_events,
    news::my_events,
    history::get_state,
    history::get_record,
    history::get_state_diff,
    imports::take_in_records,
    records::all_records,
    engine::apply_actions,
    engine::position_legal_actions,
    analysis::analyse_position,
    players::register,
    players::list_players,
    ratings::get_player,
    ratings::list_ratings,
    ratings::rating_history,
    league::create_league,
    league::list_leagues,
    league::get_league,
    league::league_events,
    members::add_member,
    members::remove_member,
    members::add_league_organizer,
    members::remove_league_organizer,
    league::begin_season,
    tables::create_tables,
    tables::list_tables,
    tables::enter_result,
    tables::correct_table,
    tables::move_deadline,
    standings::league_standings,
    standings::head_to_head,
    tables::pair_league,
    calendar::league_calendar,
    players::get_me,
    players::change_me,
    players::delete_me,
    players::list_tokens,
    players::create_token,
    players::revoke_token,
    webhooks::create_webhook,
    webhooks::list_webhooks,
    webhooks::get_webhook,
    webhooks::change_webhook,
    webhooks::delete_webhook,
    webhooks::replace_webhook_secret,
    webhooks::test_webhook,
    webhooks::list_deliveries,
    webhooks::redeliver,
    // Before the route that matches every measure.
    statistics::statistics_dictionary,
    statistics::measure_statistics,
    datasets::list_datasets,
    datasets::get_dataset,
    datasets::get_dataset_file,
    limits::list_limits,
    signing::list_keys,
    signing::list_checkpoints,
    signing::get_checkpoint,
    operations::health,
    operations::ready,
    operations::metrics,
}
