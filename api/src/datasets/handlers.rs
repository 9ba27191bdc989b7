//! Published datasets: what there is, and the files.

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

/// How much of a file is in memory.
const CHUNK: u64 = 1 << 18;

/// A dataset in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DatasetSummary {
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub title: String,
    /// When it was published.
    pub created: Timestamp,
    /// What it is made of: how many games, and the sum of their hashes.
    pub version: String,
    /// Under which terms it may be used.
    pub licenses: Vec<License>,
    /// How many games.
    pub games: u64,
    /// The place in the log up to which it goes.
    pub log_position: i64,
    /// When the game there was recorded; null without games.
    pub as_of: Option<Timestamp>,
    /// How many files it has.
    pub files: usize,
    /// How long they are together.
    pub bytes: u64,
    /// How many errors were found in it since.
    pub errata: usize,
    /// Where it is described, with its files.
    pub path: String,
}

/// The datasets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DatasetList {
    /// All of them, the newest first.
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

/// Reads datasets on a thread that may wait, as soon as a slot is free.
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
        Problem::new(Code::Internal, "the fault has been logged")
    })
}

async fn find(datasets: &Datasets, name: String) -> Result<Dataset, Problem> {
    let asked = name.clone();
    let found = read(datasets, move |datasets| datasets.get(&asked)).await?;
    found.ok_or_else(|| {
        let detail = format!("there is no dataset {name:?}; see /v1/datasets");
        Problem::new(Code::NotFound, detail)
    })
}

/// List the published datasets
///
/// Facts of finished games as they were at a place in the log, in Parquet, which never change: what is cited with
/// numbers. The file `SHA256SUMS` of a dataset lists its files for `sha256sum --check`. Downloaded whole, it is a folder
/// that answers the same measures.
#[utoipa::path(tag = "statistics", responses(
    (status = 200, description = "The datasets", body = DatasetList),
    (status = 304, description = "The caller has it"),
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
/// A Data Package of Frictionless Data, version 2: what it is made of, under which terms, what was found to be wrong
/// since, and its files with their sizes and SHA-256. Each table has a Table Schema with types, keys and closed sets of
/// values. The same is at `/v1/datasets/{dataset}/datapackage.json`, so that its paths lead to the files.
#[utoipa::path(tag = "statistics", params(("dataset" = String, Path, description = "The dataset's name")), responses(
    (status = 200, description = "The dataset", body = Dataset),
    (status = 304, description = "The caller has it"),
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
/// By its path in the dataset, with its slashes. The `ETag` is its SHA-256; with `Range` and, if one likes, `If-Range`
/// what was cut off goes on with 206.
#[utoipa::path(tag = "statistics",
    params(
        ("dataset" = String, Path, description = "The dataset's name"),
        ("path" = String, Path, description = "The path of the file in the dataset", example = "manifest.json")),
    responses(
        (status = 200, description = "The file", content(
            (Vec<u8> = "application/vnd.apache.parquet"), (Object = "application/json"), (String = "text/plain")),
            headers(("ETag" = String, description = "Its SHA-256"))),
        (status = 206, description = "The part of it that was asked for", body = String,
            content_type = "application/octet-stream",
            headers(("Content-Range" = String, description = "Which part it is")), example = json!("PAR1")),
        (status = 304, description = "The caller has it"),
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
        let detail = format!("{} has no file {path:?}", dataset.name);
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

/// An answer with a file, which stands at the begin of the part that is asked for, or with the whole.
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
    // Not what the description says, which may come from elsewhere.
    let (_, media_type) = format_of(&file.path);
    response.insert_header((CONTENT_TYPE, media_type));
    // Parts are of the file as it is, and most files are compressed in themselves.
    response.insert_header((CONTENT_ENCODING, "identity"));
    if part.is_some() {
        let told = format!("bytes {begin}-{end}/{}", file.size);
        response.insert_header((CONTENT_RANGE, told));
    }
    let length = match file.size {
        0 => 0,
        _ => end - begin + 1,
    };
    response.body(SizedStream::new(length, chunks(opened, length, file)))
}

/// The part of a file that is asked for, first and last byte; nothing when it is the whole, several parts, or a part
/// of another version or beyond its end: these are answered with the whole (RFC 9110, section 14.2).
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

/// So many bytes of a file from where it stands.
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
                    tracing::error!(%error, file = name, "a dataset cannot be read");
                    let problem = Problem::new(Code::Internal, "the fault has been logged");
                    Some((Err(problem), (None, 0)))
                }
            }
        }
    })
}
