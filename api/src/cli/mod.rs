//! The subcommands of the program `tabularium`, one module each.

pub mod backup;
pub mod checkpoint;
pub mod config;
pub mod demo;
pub mod demo_league;
pub mod demo_players;
pub mod docs;
pub mod doctor;
pub mod export;
pub mod health;
pub mod import;
pub mod keys;
pub mod league;
pub mod league_files;
pub mod migrate;
pub mod openapi;
pub mod options;
pub mod ratings;
pub mod rebuild;
pub mod restore;
pub mod serve;
pub mod signatures;
pub mod stored;
pub mod token;
pub mod verify;
