//! The pages to organize a league. All forms work without JavaScript.
//!
//! - A form sends what the public API takes: it is read into the same types and given to the same services.
//! - Each page has one address. Its forms are sent to it, and the field `action` says what to do. Afterwards the browser
//!   is led back to the page; if the action was refused, the page says why.

pub mod groups;
pub mod join;
pub mod members;
pub mod new;
pub mod page;
pub mod pauses;
pub mod results;
pub mod round;
pub mod season;
pub mod settings;
pub mod table;

use actix_web::web;

/// Adds the pages.
pub fn configure(service: &mut web::ServiceConfig) {
    service
        .service(new::new_league_page)
        .service(new::post_new_league)
        .service(join::join_page)
        .service(join::post_join)
        .service(members::members_page)
        .service(members::post_members)
        .service(settings::settings_page)
        .service(settings::post_settings)
        .service(season::season_page)
        .service(season::post_season)
        .service(groups::groups_page)
        .service(groups::post_groups)
        .service(pauses::pauses_page)
        .service(pauses::post_pauses)
        .service(round::round_page)
        .service(round::post_round)
        .service(results::results_page)
        .service(results::post_results)
        .service(table::table_page)
        .service(table::post_table);
}
