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
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

/// Every documented route.
pub fn configure(service: &mut ServiceConfig<'_>) {
    service
        .service(index::get_root)
        .service(index::get_index)
        .service(editions::list_editions)
        .service(editions::get_edition)
        .service(editions::get_edition_version)
        .service(rules::list_rules)
        .service(rules::get_rule)
        // Before those whose last part takes anything.
        .service(drawings::draw_board)
        .service(drawings::draw_board_in_pixels)
        .service(drawings::draw_state)
        .service(drawings::draw_state_in_pixels)
        .service(boards::list_boards)
        .service(boards::get_board)
        .service(boards::get_board_version)
        .service(games::create_game)
        .service(games::list_games)
        .service(games::count_games)
        .service(games::get_game)
        .service(games::abandon_game)
        .service(games::change_organizer)
        .service(games::rematch)
        .service(games::my_games)
        .service(games::players_games)
        .service(seats::claim_seat)
        .service(seats::replace_player)
        .service(seats::leave_seat)
        .service(seats::get_orders)
        .service(seats::set_orders)
        .service(invitations::make_invitation_code)
        .service(invitations::withdraw_invitation_code)
        .service(invitations::take_up_invitation)
        .service(actions::act)
        .service(actions::legal_actions)
        .service(actions::undo)
        .service(actions::decline_undo)
        .service(actions::adjudicate)
        .service(events::game_events)
        .service(events::all_events)
        .service(news::my_events)
        .service(history::get_state)
        .service(history::get_record)
        .service(history::get_state_diff)
        .service(records::take_in_records)
        .service(records::all_records)
        .service(engine::apply_actions)
        .service(engine::position_legal_actions)
        .service(analysis::analyse_position)
        .service(players::register)
        .service(players::list_players)
        .service(players::get_player)
        .service(ratings::list_ratings)
        .service(ratings::rating_history)
        .service(leagues::create_league)
        .service(leagues::list_leagues)
        .service(leagues::get_league)
        .service(leagues::league_events)
        .service(leagues::add_member)
        .service(leagues::remove_member)
        .service(leagues::add_league_organizer)
        .service(leagues::remove_league_organizer)
        .service(leagues::begin_season)
        .service(leagues::create_tables)
        .service(leagues::list_tables)
        .service(leagues::enter_result)
        .service(leagues::correct_table)
        .service(leagues::move_deadline)
        .service(leagues::league_standings)
        .service(leagues::head_to_head)
        .service(leagues::pair_league)
        .service(calendar::league_calendar)
        .service(players::get_me)
        .service(players::change_me)
        .service(players::delete_me)
        .service(players::list_tokens)
        .service(players::create_token)
        .service(players::revoke_token)
        .service(webhooks::create_webhook)
        .service(webhooks::list_webhooks)
        .service(webhooks::get_webhook)
        .service(webhooks::change_webhook)
        .service(webhooks::delete_webhook)
        .service(webhooks::replace_webhook_secret)
        .service(webhooks::test_webhook)
        .service(webhooks::list_deliveries)
        .service(webhooks::redeliver)
        .service(statistics::nation_statistics)
        .service(statistics::opening_statistics)
        .service(statistics::opening_tree_statistics)
        .service(statistics::personage_statistics)
        .service(statistics::final_personage_statistics)
        .service(statistics::timing_statistics)
        .service(statistics::seat_statistics)
        .service(statistics::strength_statistics)
        .service(statistics::opening_neighbour_statistics)
        .service(statistics::income_statistics)
        .service(statistics::head_to_head_statistics)
        .service(statistics::position_statistics)
        .service(statistics::statistics_dictionary)
        .service(statistics::length_statistics)
        .service(statistics::card_statistics)
        .service(statistics::know_how_statistics)
        .service(statistics::conquest_statistics)
        .service(statistics::trade_statistics)
        .service(datasets::list_datasets)
        .service(datasets::get_dataset)
        .service(datasets::get_dataset_file)
        .service(limits::list_limits)
        .service(office::list_keys)
        .service(office::list_checkpoints)
        .service(office::get_checkpoint)
        .service(operations::health)
        .service(operations::ready)
        .service(operations::metrics);
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
