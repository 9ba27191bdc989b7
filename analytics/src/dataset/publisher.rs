//! Publishing: writes the facts up to a time as a dataset.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::content::Library;
use jiff::Timestamp;
use polars::prelude::{DataFrame, Field, ParquetReader, Schema, SerReader, col};
use serde_json::Value;

use super::model::{
    CHECKSUMS, DESCRIPTOR, Dataset, DatasetError, Erratum, INDEX, License, PROFILE, Resource,
    files, format_of, is_name, sha256_of,
};
use super::schema::{ContentWords, INDEX_COLUMNS, index_columns, index_schema, table_schema};
use crate::answer::{Dictionary, PROGRAM};
use crate::facts::FactTable;
use crate::question::{AsOf, Filters, LEAGUE_WAIT, settled_time};
use crate::storage::manifest::write_whole;
use crate::storage::writer::{LOCK, write_parquet};
use crate::storage::{FactsStore, FactsStoreError, FactsWriter, FilterMatch, Part};

/// How often publishing restarts when parts of the facts were merged while it ran.
const TRIES: usize = 5;

/// The folder of the Table Schemas in the dataset.
const SCHEMAS: &str = "schemas";

/// The facts to publish, and their description.
#[derive(Clone, Debug)]
pub struct Publication<'a> {
    /// The facts.
    pub facts: &'a FactsStore,
    /// The folder of datasets; the new dataset becomes a folder in it.
    pub to: &'a Path,
    /// The name, see [`is_name`].
    pub name: &'a str,
    /// The title, in a few words.
    pub title: &'a str,
    /// What a reader must know of the dataset.
    pub description: &'a str,
    /// The license, as an SPDX identifier such as CC-BY-4.0.
    pub license: &'a str,
    /// The last offset or time to include; all facts if `None`.
    pub as_of: Option<AsOf>,
}

/// Publishes facts. The folder of the dataset appears when all of it is on disk.
///
/// # Errors
/// If a dataset with this name exists, the facts cannot be read, or a file cannot be written. Only a hidden folder
/// can be left, and the next attempt removes it.
pub fn publish(publication: &Publication<'_>) -> Result<Dataset, DatasetError> {
    let Publication { to, name, .. } = publication;
    if !is_name(name) {
        return Err(DatasetError::Name((*name).to_owned()));
    }
    let (whole, partial) = (to.join(name), to.join(format!(".{name}.partial")));
    if whole.exists() {
        return Err(DatasetError::Exists(whole));
    }
    let mut tries = 1;
    let dataset = loop {
        let _ = fs::remove_dir_all(&partial);
        fs::create_dir_all(&partial).map_err(DatasetError::io(&partial))?;
        let before = publication.facts.manifest()?.parts;
        match write_dataset(publication, &partial) {
            // Parts are removed after they are merged.
            Err(DatasetError::Facts(_))
                if tries < TRIES && publication.facts.manifest()?.parts != before =>
            {
                tries += 1;
            }
            written => break written?,
        }
    };
    fs::rename(&partial, &whole).map_err(DatasetError::io(&whole))?;
    #[cfg(unix)]
    fs::File::open(to)
        .and_then(|folder| folder.sync_all())
        .map_err(DatasetError::io(to))?;
    Ok(dataset)
}

fn write_dataset(publication: &Publication<'_>, folder: &Path) -> Result<Dataset, DatasetError> {
    let filters = Filters {
        as_of: publication.as_of,
        ..Filters::default()
    };
    let source = publication.facts.manifest()?;
    let now = Timestamp::now();
    let (end, until) = (source.version().log_position, source.complete_until(now));
    let has_results = source.parts.iter().any(|part| part.results > 0);
    let known = match has_results {
        true => until.checked_sub(LEAGUE_WAIT).unwrap_or(Timestamp::MIN),
        false => until,
    };
    filters.check_as_of(end, known)?;
    let mut words = ContentWords::new(Library::embedded());
    let mut writer = FactsWriter::open(&FactsStore::new(folder))?;
    for part in &source.parts {
        if part.match_recorded(&filters) == FilterMatch::None && part.results == 0 {
            continue;
        }
        let facts = publication.facts.read_part(part, &filters)?;
        words.add(&facts).map_err(FactsStoreError::from)?;
        writer.append(&facts, None, 0)?;
        while writer.compact()? {}
    }
    let version = writer.manifest().version();
    if writer.manifest().parts.is_empty() {
        return Err(FactsStoreError::Empty(publication.facts.directory().to_owned()).into());
    }
    let until = match publication.as_of {
        Some(AsOf::Time(time)) => time,
        Some(AsOf::Position(_)) if version != source.version() => {
            version.as_of.map_or(Timestamp::MIN, settled_time)
        }
        _ => until,
    };
    writer.set_complete_until(Some(until))?;
    write_index(&writer)?;
    drop(writer);
    let lock = folder.join(LOCK);
    fs::remove_file(&lock).map_err(DatasetError::io(&lock))?;
    let dictionary = serde_json::to_value(Dictionary::get());
    write_json(
        &folder.join("dictionary.json"),
        &dictionary.unwrap_or_default(),
    )?;
    let schemas = folder.join(SCHEMAS);
    fs::create_dir_all(&schemas).map_err(DatasetError::io(&schemas))?;
    for table in FactTable::ALL {
        let path = folder.join(schema_path(table.name()));
        write_json(&path, &table_schema(*table, &words))?;
    }
    write_json(&folder.join(schema_path(INDEX)), &index_schema(&words))?;
    let resources = files(folder)?.into_iter();
    let resources = resources.map(|path| resource(folder, path));
    let mut resources = resources.collect::<Result<Vec<Resource>, DatasetError>>()?;
    let sums = resources.iter().filter_map(|file| {
        let sha256 = file.sha256()?;
        Some(format!("{sha256}  {}\n", file.path))
    });
    write(&folder.join(CHECKSUMS), &sums.collect::<String>())?;
    resources.push(resource(folder, CHECKSUMS.to_owned())?);
    let rows = |table: &FactTable| {
        let schema = schema_path(table.name());
        let own = resources
            .iter()
            .filter(|file| file.schema.as_ref() == Some(&schema));
        (
            table.name().to_owned(),
            own.filter_map(|file| file.rows).sum(),
        )
    };
    let dataset = Dataset {
        profile: PROFILE.to_owned(),
        name: publication.name.to_owned(),
        title: publication.title.to_owned(),
        description: publication.description.to_owned(),
        created: now,
        version: version.to_string(),
        licenses: vec![License {
            name: publication.license.to_owned(),
            path: format!("https://spdx.org/licenses/{}.html", publication.license),
        }],
        games: version.games,
        log_position: version.log_position,
        as_of: version.as_of,
        complete_until: until,
        program: PROGRAM.to_owned(),
        tables: FactTable::ALL
            .iter()
            .map(rows)
            .collect::<BTreeMap<String, u64>>(),
        errata: Vec::new(),
        resources,
    };
    describe(folder, &dataset)?;
    Ok(dataset)
}

/// Adds an erratum to the description of the dataset in a folder.
///
/// # Errors
/// If there is no dataset, or if its description cannot be written.
pub fn add_erratum(folder: &Path, text: &str) -> Result<Dataset, DatasetError> {
    let Some(mut dataset) = Dataset::read(folder)? else {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(DatasetError::io(&folder.join(DESCRIPTOR))(missing));
    };
    dataset.errata.push(Erratum {
        at: Timestamp::now(),
        text: text.to_owned(),
    });
    describe(folder, &dataset)?;
    Ok(dataset)
}

fn describe(folder: &Path, dataset: &Dataset) -> Result<(), DatasetError> {
    // Plain data with string keys always converts to JSON.
    let value = serde_json::to_value(dataset).unwrap_or_default();
    write_json(&folder.join(DESCRIPTOR), &value)
}

/// Writes JSON to a file, atomically.
fn write_json(path: &Path, value: &Value) -> Result<(), DatasetError> {
    write(path, &format!("{value:#}\n"))
}

/// Writes text to a file, atomically.
fn write(path: &Path, text: &str) -> Result<(), DatasetError> {
    write_whole(path, |file| {
        std::io::Write::write_all(file, text.as_bytes()).map_err(FactsStoreError::io(path))
    })?;
    Ok(())
}

fn schema_path(table: &str) -> String {
    format!("{SCHEMAS}/{table}.json")
}

/// Writes a file with the id, edition and month of all games.
fn write_index(writer: &FactsWriter) -> Result<(), FactsStoreError> {
    let path = writer.store().directory().join(format!("{INDEX}.parquet"));
    let fields =
        index_columns().map(|column| Field::new(column.name.into(), column.kind.data_type()));
    let games = |part: &Part| -> Result<DataFrame, FactsStoreError> {
        let facts = writer.store().scan_parts(std::slice::from_ref(part));
        let games = facts.table(FactTable::Games)?;
        Ok(games.select(INDEX_COLUMNS.map(col)).collect()?)
    };
    let parts = writer.manifest().parts.iter().map(games);
    write_parquet(&path, &Schema::from_iter(fields), String::new(), parts)?;
    Ok(())
}

/// Describes a file by its path in the dataset.
fn resource(folder: &Path, path: String) -> Result<Resource, DatasetError> {
    let file: PathBuf = folder.join(&path);
    let size = fs::metadata(&file).map_err(DatasetError::io(&file))?.len();
    let sha256 = sha256_of(&file).map_err(DatasetError::io(&file))?;
    let (format, mediatype) = format_of(&path);
    let name = path.replace("edition=", "").replace("month=", "");
    let name = name.trim_end_matches(".parquet").trim_end_matches(".json");
    let name = name.replace('/', ".").to_ascii_lowercase();
    let table = name.split('.').next().unwrap_or_default().to_owned();
    let is_table = format == "parquet";
    let rows = match is_table {
        false => None,
        true => {
            let opened = fs::File::open(&file).map_err(DatasetError::io(&file))?;
            let rows = ParquetReader::new(opened).num_rows();
            let rows = rows.map_err(FactsStoreError::table(&file))?;
            Some(rows as u64)
        }
    };
    Ok(Resource {
        name,
        kind: is_table.then(|| "table".to_owned()),
        format: format.to_owned(),
        mediatype: mediatype.to_owned(),
        size,
        hash: format!("sha256:{sha256}"),
        rows,
        schema: is_table.then(|| schema_path(&table)),
        path,
    })
}
