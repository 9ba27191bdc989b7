//! Leagues in and out: spreadsheets, imports of members and past results, exports for other programs.
//!
//! - A file is first read into rows that do not depend on its format. Then each row is applied to a copy of the league,
//!   so an import checks exactly what single requests check. The events of an import are written together or not at all.
//! - Imported results are over-the-board results of the league's log, like results that are entered one by one.
//!
//! | file | contents |
//! | --- | --- |
//! | `sheet.rs` | tables of cells, as CSV and XLSX |
//! | `standings.rs` | standings, head to head and cross tables as tables of cells |
//! | `rows.rs` | the rows of an import, and values that all formats share |
//! | `comma.rs`, `bgg.rs`, `bgstats.rs` | the formats: CSV, plays of BoardGameGeek, exports of BG Stats |
//! | `import.rs` | applies rows to a league, and reports what happens to each |
//! | `export.rs` | the results of a league, for all formats |
//! | `model.rs` | requests and answers; the handlers are in `handlers/exchange.rs` |

pub mod bgg;
pub mod bgstats;
pub mod comma;
pub mod export;
pub mod import;
pub mod model;
pub mod rows;
pub mod sheet;
pub mod standings;
