//! Published datasets: the list, and the files.

use std::fs::File;
use std::io::Read;

use actix_web::body::SizedStream;
use actix_web::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, IF_RANGE,
    RANGE, Range,
};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, web};
use analytics::dataset::{DESCRIPTOR, Dataset, DatasetError, License, Resource, format_of};
use futures_util::stream::{Stream, unfold};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::datasets::service::Datasets;
use crate::http::answers::{Listing, Reading};
use crate::http::limits::load::{LoadKind, slot};
use crate::http::problem::{Code, Problem};
use crate::http::reply::{FOR_EVER, content, not_modified};

/// The number of bytes of a file that are in memory.
const CHUNK: u64 = 1 << 18;

/// A dataset in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DatasetSummary {
    /// The name.
    pub name: String,
    /// A short title.
    pub title: String,
    /// When it was published.
    pub created: Timestamp,
    /// The version of its content: the number of games and the sum of their hashes.
    pub version: String,
    /// The licenses under which it may be used.
    pub licenses: Vec<License>,
    /// The number of games.
    pub games: u64,
    /// The position in the log of all games up to which it goes.
    pub log_position: i64,
    /// When the game at that position was recorded; null without games.
    pub as_of: Option<Timestamp>,
    /// The number of files.
    pub files: usize,
    /// The size of all files together, in bytes.
    pub bytes: u64,
    /// The number of errors found since it was published.
    pub errata: usize,
    /// The path of its description, with its files.
    pub path: String,
}

/// The list of datasets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DatasetList {
    /// The datasets, newest first.
    pub items: Vec<DatasetSummary>,
}

impl From<Dataset> for DatasetSummary {
    fn from(dataset: Dataset) -> DatasetSummary {
        DatasetSummary {
            path: format!("/v1/datasets/{}", dataset.name),
            files: dataset.resources.len(),
            bytes: dataset.resources.iter().map(|file| file.size).sum(),
            errata: dataset.errata.len(),
            name: dataset.name,
            title: dataset.title,
            created: dataset.created,
            version: dataset.version,
            licenses: dataset.licenses,
            games: dataset.games,
            log_position: dataset.log_position,
            as_of: dataset.as_of,
        }
    }
}

/// Reads datasets on a worker thread, as soon as a slot is free.
async fn read<T: Send + 'static>(
    datasets: &Datasets,
    work: impl FnOnce(&Datasets) -> Result<T, DatasetError> + Send + 'static,
) -> Result<T, Problem> {
    let (datasets, slot) = (datasets.clone(), slot(LoadKind::Job).await?);
    let done = web::block(move || {
        let _slot = slot;
        work(&datasets).map_err(|error| error.to_string())
    });
    let done = done.await.map_err(|error| error.to_string());
    done.flatten().map_err(|error| {
        tracing::error!(%error, "a dataset cannot be read");
        Problem::internal()
    })
}

async fn find(datasets: &Datasets, name: String) -> Result<Dataset, Problem> {
    let wanted = name.clone();
    let found = read(datasets, move |datasets| datasets.get(&wanted)).await?;
    found.ok_or_else(|| {
        let detail = format!("there is no dataset {name:?}: /v1/datasets lists them all");
        Problem::new(Code::NotFound, detail)
    })
}

/// List the published datasets
///
/// A dataset contains the facts of finished games up to a position in the log, as Parquet. It never changes, so it can
/// be cited. Its file `SHA256SUMS` lists all files for `sha256sum --check`. A complete download is a folder from which
/// `tabularium-analytics` computes the same measures.
#[utoipa::path(tag = "statistics", responses(
    (status = 200, description = "The datasets", body = DatasetList),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/datasets")]
pub async fn list_datasets(
    request: HttpRequest,
    datasets: web::Data<Datasets>,
) -> Result<HttpResponse, Problem> {
    let found = read(&datasets, Datasets::list).await?;
    let items = found.into_iter().map(DatasetSummary::from).collect();
    content(&request, &DatasetList { items })
}

/// Get a dataset
///
/// A Data Package of Frictionless Data, version 2: its content, its licenses, the errors found since it was published,
/// and its files with sizes and SHA-256. Each table has a Table Schema with types, keys and closed sets of values. The
/// same document is at `/v1/datasets/{dataset}/datapackage.json`, where its relative paths lead to the files.
#[utoipa::path(tag = "statistics", params(
    ("dataset" = String, Path, description = "The name of the dataset")), responses(
    (status = 200, description = "The dataset", body = Dataset),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Reading,
))]
#[get("/v1/datasets/{dataset}")]
pub async fn get_dataset(
    request: HttpRequest,
    path: web::Path<String>,
    datasets: web::Data<Datasets>,
) -> Result<HttpResponse, Problem> {
    let dataset = find(&datasets, path.into_inner()).await?;
    content(&request, &dataset)
}

/// Get a file of a dataset
///
/// By its path in the dataset, including slashes. The `ETag` is the SHA-256 of the file. Use `Range`, optionally with
/// `If-Range`, to resume a download (206).
#[utoipa::path(tag = "statistics",
    params(
        ("dataset" = String, Path, description = "The name of the dataset"),
        ("path" = String, Path, description = "The path of the file in the dataset", example = "manifest.json")),
    responses(
        (status = 200, description = "The file", content(
            (Vec<u8> = "application/vnd.apache.parquet"), (Object = "application/json"), (String = "text/plain")),
            headers(("ETag" = String, description = "The SHA-256 of the file"))),
        (status = 206, description = "The requested part of the file", body = String,
            content_type = "application/octet-stream",
            headers(("Content-Range" = String, description = "The position of the part")), example = json!("PAR1")),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        Reading,
    ))]
#[get("/v1/datasets/{dataset}/{path:.*}")]
pub async fn get_dataset_file(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    datasets: web::Data<Datasets>,
) -> Result<HttpResponse, Problem> {
    let (name, path) = path.into_inner();
    let dataset = find(&datasets, name).await?;
    if path == DESCRIPTOR {
        return content(&request, &dataset);
    }
    let Some(file) = dataset.file(&path).cloned() else {
        let detail = format!(
            "the dataset {} has no file {path:?}: its description lists the files",
            dataset.name
        );
        return Err(Problem::new(Code::NotFound, detail));
    };
    let tag = format!("\"{}\"", file.sha256().unwrap_or_default());
    if let Some(same) = not_modified(&request, &tag, FOR_EVER) {
        return Ok(same);
    }
    let part = part_of(&request, &tag, file.size);
    let begin = part.map_or(0, |(begin, _)| begin);
    let opened = read(&datasets, move |datasets| {
        datasets.open(&dataset, &path, begin)
    });
    Ok(file_answer(opened.await?, file, part, tag))
}

/// Returns a file or a part of it. The file is open at the first byte to send.
fn file_answer(
    opened: File,
    file: Resource,
    part: Option<(u64, u64)>,
    tag: String,
) -> HttpResponse {
    let (begin, end) = part.unwrap_or((0, file.size.saturating_sub(1)));
    let mut response = match part {
        Some(_) => HttpResponse::PartialContent(),
        None => HttpResponse::Ok(),
    };
    response.insert_header((ETAG, tag));
    response.insert_header((CACHE_CONTROL, FOR_EVER));
    response.insert_header((ACCEPT_RANGES, "bytes"));
    // Not the type in the description, which may be untrusted.
    let (_, media_type) = format_of(&file.path);
    response.insert_header((CONTENT_TYPE, media_type));
    // Ranges refer to the stored file, and most files are compressed already.
    response.insert_header((CONTENT_ENCODING, "identity"));
    if part.is_some() {
        let range = format!("bytes {begin}-{end}/{}", file.size);
        response.insert_header((CONTENT_RANGE, range));
    }
    let length = match file.size {
        0 => 0,
        _ => end - begin + 1,
    };
    response.body(SizedStream::new(length, chunks(opened, length, file)))
}

/// Returns the requested part of a file: its first and last byte.
///
/// `None` means the whole file: without a range, for several parts, for another version, and for a part beyond the end
/// (RFC 9110, section 14.2).
fn part_of(request: &HttpRequest, tag: &str, bytes: u64) -> Option<(u64, u64)> {
    request.headers().get(RANGE)?;
    if let Some(known) = request.headers().get(IF_RANGE)
        && known.as_bytes() != tag.as_bytes()
    {
        return None;
    }
    match request.get_header::<Range>()? {
        Range::Bytes(parts) => match parts[..] {
            [ref part] => part.to_satisfiable_range(bytes),
            _ => None,
        },
        Range::Unregistered(..) => None,
    }
}

/// Streams `length` bytes of a file from its current position.
fn chunks(
    file: File,
    length: u64,
    resource: Resource,
) -> impl Stream<Item = Result<web::Bytes, Problem>> {
    unfold((Some(file), length), move |(file, left)| {
        let name = resource.path.clone();
        async move {
            let mut file = file.filter(|_| left > 0)?;
            let done = web::block(move || {
                let mut bytes = vec![0; left.min(CHUNK) as usize];
                file.read_exact(&mut bytes).map(|()| (bytes, file))
            });
            let done = done.await.map_err(std::io::Error::other).flatten();
            match done {
                Ok((bytes, file)) => {
                    let left = left - bytes.len() as u64;
                    Some((Ok(bytes.into()), (Some(file), left)))
                }
                Err(error) => {
                    tracing::error!(%error, file = name, "a file of a dataset cannot be read");
                    let problem = Problem::internal();
                    Some((Err(problem), (None, 0)))
                }
            }
        }
    })
}
