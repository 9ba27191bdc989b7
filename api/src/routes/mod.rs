//! The routes, one module a noun. Handlers are thin: they read the request, call the games service
//! and render the answer.

pub mod actions;
pub mod analysis;
pub mod boards;
pub mod calendar;
pub mod datasets;
pub mod drawings;
pub mod editions;
pub mod engine;
pub mod events;
pub mod games;
pub mod history;
pub mod index;
pub mod invitations;
pub mod known;
pub mod leagues;
pub mod limits;
pub mod news;
pub mod office;
pub mod operations;
pub mod page;
mod patch;
pub mod pictures;
pub mod players;
pub mod ratings;
pub(crate) mod reader;
pub mod records;
pub mod rules;
pub mod seats;
pub mod statistics;
pub mod webhooks;

use ::engine::content::Change;
use actix_web::web;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

/// Defines both ways to add routes to an application.
macro_rules! routes {
    ($($route:path,)*) => {
        /// Adds every documented route.
        pub fn configure(service: &mut web::ServiceConfig) {
            service$(.service($route))*;
        }

        /// Adds every documented route with what the specification says of it.
        pub fn document(service: &mut ServiceConfig<'_>) {
            service$(.service($route))*;
        }
    };
}

routes! {
    // Every documented route.
    index::get_root,
    index::get_index,
    editions::list_editions,
    editions::get_edition,
    editions::get_edition_version,
    rules::list_rules,
    rules::get_rule,
    // Before those whose last part takes anything.
    drawings::draw_board,
    drawings::draw_board_in_pixels,
    drawings::draw_state,
    drawings::draw_state_in_pixels,
    boards::list_boards,
    boards::get_board,
    boards::get_board_version,
    games::create_game,
    games::list_games,
    games::count_games,
    games::get_game,
    games::abandon_game,
    games::change_organizer,
    games::rematch,
    games::my_games,
    games::players_games,
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
    records::take_in_records,
    records::all_records,
    engine::apply_actions,
    engine::position_legal_actions,
    analysis::analyse_position,
    players::register,
    players::list_players,
    players::get_player,
    ratings::list_ratings,
    ratings::rating_history,
    leagues::create_league,
    leagues::list_leagues,
    leagues::get_league,
    leagues::league_events,
    leagues::add_member,
    leagues::remove_member,
    leagues::add_league_organizer,
    leagues::remove_league_organizer,
    leagues::begin_season,
    leagues::create_tables,
    leagues::list_tables,
    leagues::enter_result,
    leagues::correct_table,
    leagues::move_deadline,
    leagues::league_standings,
    leagues::head_to_head,
    leagues::pair_league,
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
    statistics::nation_statistics,
    statistics::opening_statistics,
    statistics::opening_tree_statistics,
    statistics::personage_statistics,
    statistics::final_personage_statistics,
    statistics::timing_statistics,
    statistics::seat_statistics,
    statistics::strength_statistics,
    statistics::opening_neighbour_statistics,
    statistics::income_statistics,
    statistics::head_to_head_statistics,
    statistics::position_statistics,
    statistics::statistics_dictionary,
    statistics::length_statistics,
    statistics::card_statistics,
    statistics::know_how_statistics,
    statistics::conquest_statistics,
    statistics::trade_statistics,
    datasets::list_datasets,
    datasets::get_dataset,
    datasets::get_dataset_file,
    limits::list_limits,
    office::list_keys,
    office::list_checkpoints,
    office::get_checkpoint,
    operations::health,
    operations::ready,
    operations::metrics,
}

/// Which version of a data file is asked for.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VersionQuery {
    /// The SHA-256 of the file of an older version, as games record it; the current version when
    /// left out
    #[param(example = "40435a719b334d3341aaa9a6f11bc29629ca15535a7a77b78dc001cee4f0e8d3")]
    hash: Option<String>,
}

/// A version of a data file.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VersionBody {
    /// Its number, from 1.
    pub version: u32,
    /// SHA-256 of the file.
    pub hash: String,
    /// Whether new games are played by it.
    pub current: bool,
    /// What is different from the version before, and why.
    pub changes: Vec<Change>,
}
