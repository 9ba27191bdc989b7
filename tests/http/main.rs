//! End-to-end tests: the real server on a free port with a database of its own, over HTTP. A module
//! a resource. `TABULARIUM_TEST_DATABASE=postgres://…` runs them on PostgreSQL.

mod accounts;
mod actions;
mod antike_ii;
mod audit;
mod card_statistics;
mod contract;
mod duellum;
mod engine_calls;
mod events;
mod examples;
mod games;
mod headers;
mod history;
mod imports;
mod layers;
mod limits;
mod lists;
mod nodes;
mod operations;
mod pace;
mod problems;
mod program;
mod promise;
mod rows;
mod rules;
mod seats;
mod secrecy;
mod signatures;
mod statistics;
mod support;
mod tables;
mod tls;
mod undo;
mod work;
