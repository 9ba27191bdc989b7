//! All rows of a PostgreSQL database in a file, and back.
//!
//! The file is compressed by gzip. Each line is the name of a table, a space, and a row as JSON. PostgreSQL writes and
//! reads the JSON, so a table needs no code here. One read-only transaction reads all tables, so the file is
//! consistent while servers write.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::db::StoreError;
use crate::db::backup::error::BackupError;
use crate::db::backup::manifest::{TABLES, read_log_and_key};
use crate::db::connection::{AnyConnection, last_migration};
use crate::db::durable;

/// How many rows are read or inserted at a time.
const ROWS: usize = 1_000;

/// About how many bytes are inserted at a time.
const BYTES: usize = 4 << 20;

/// The content of an exported database.
pub struct Exported {
    /// The last migration.
    pub migration: String,
    /// The last position of the log of all games.
    pub position: i64,
    /// The id of the newest key that signs.
    pub signing_key: Option<String>,
    /// The number of rows of each table.
    pub rows: BTreeMap<String, u64>,
}

#[derive(QueryableByName)]
struct RowLine {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Connects without limits of time, because a large database takes longer.
pub fn connect(url: &str) -> Result<AnyConnection, BackupError> {
    let mut connection = PgConnection::establish(url)?;
    connection.batch_execute(
        "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '15s'",
    )?;
    Ok(AnyConnection::Postgres(connection))
}

/// Writes all rows to a new file, which only its owner can read.
pub fn export(url: &str, file: &Path) -> Result<Exported, BackupError> {
    let folder =
        durable::folder_of(file).ok_or_else(|| BackupError::NoFile(file.display().to_string()))?;
    let beside = tempfile::NamedTempFile::new_in(folder).map_err(BackupError::file(folder))?;
    let opened = beside.reopen().map_err(BackupError::file(folder))?;
    let mut connection = connect(url)?;
    let out = GzEncoder::new(BufWriter::new(opened), Compression::fast());
    let (exported, out) = connection.transaction(|connection| {
        connection.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")?;
        write_tables(connection, out, file)
    })?;
    let finish = || -> std::io::Result<()> {
        out.finish()?.flush()?;
        durable::create(beside.into_temp_path(), file)
    };
    finish().map_err(BackupError::file(file))?;
    Ok(exported)
}

fn write_tables<W: Write>(
    connection: &mut AnyConnection,
    mut out: W,
    file: &Path,
) -> Result<(Exported, W), BackupError> {
    let migration = last_migration(connection).ok_or(StoreError::Schema)?;
    let (position, signing_key) = read_log_and_key(connection)?;
    let mut rows = BTreeMap::new();
    for table in TABLES {
        // A token refers to an earlier one of the same table.
        let order = match table {
            "tokens" => " ORDER BY created_at, id",
            _ => "",
        };
        connection.batch_execute(&format!(
            "DECLARE backup NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line FROM {table} t{order}"
        ))?;
        let mut count = 0;
        loop {
            let fetch = diesel::sql_query(format!("FETCH {ROWS} FROM backup"));
            let lines: Vec<RowLine> = fetch.load(connection)?;
            for RowLine { line } in &lines {
                writeln!(out, "{table} {line}").map_err(BackupError::file(file))?;
            }
            count += lines.len() as u64;
            if lines.len() < ROWS {
                break;
            }
        }
        connection.batch_execute("CLOSE backup")?;
        rows.insert(table.to_owned(), count);
    }
    let exported = Exported {
        migration,
        position,
        signing_key,
        rows,
    };
    Ok((exported, out))
}

/// Inserts the rows of a file into tables that the migrations have just created.
pub fn import(connection: &mut AnyConnection, file: &Path) -> Result<(), BackupError> {
    let opened = File::open(file).map_err(BackupError::file(file))?;
    let lines = BufReader::new(GzDecoder::new(BufReader::new(opened))).lines();
    connection.transaction(|connection| {
        // Migrations create these rows.
        connection
            .batch_execute("DELETE FROM log_end; DELETE FROM ratings_shown; DELETE FROM probe")?;
        let mut batch = Batch::default();
        for line in lines {
            let line = line.map_err(BackupError::file(file))?;
            let (table, row) = line.split_once(' ').unwrap_or((&line, ""));
            let known = TABLES.into_iter().find(|known| *known == table);
            let table = known.ok_or_else(|| {
                BackupError::Unusable(format!("{}: a line names no table", file.display()))
            })?;
            if batch.table != table || batch.rows >= ROWS || batch.json.len() > BYTES {
                batch.insert(connection)?;
                batch.table = table;
            }
            batch.add(row);
        }
        batch.insert(connection)?;
        Ok(())
    })
}

/// Rows of one table, as the items of a JSON array.
#[derive(Default)]
struct Batch {
    table: &'static str,
    rows: usize,
    json: String,
}

impl Batch {
    fn add(&mut self, row: &str) {
        if self.rows > 0 {
            self.json.push(',');
        }
        self.json.push_str(row);
        self.rows += 1;
    }

    /// Inserts the rows and empties the batch.
    fn insert(&mut self, connection: &mut AnyConnection) -> QueryResult<()> {
        if self.rows > 0 {
            let table = self.table;
            diesel::sql_query(format!(
                "INSERT INTO {table} SELECT * FROM json_populate_recordset(NULL::{table}, $1::json)"
            ))
            .bind::<Text, _>(format!("[{}]", self.json))
            .execute(connection)?;
        }
        (self.rows, self.json) = (0, String::new());
        Ok(())
    }
}
