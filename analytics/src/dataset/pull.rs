//! Pulling a dataset over HTTP into a folder. What is there already is not asked for again, what was cut off goes on
//! where it stopped, what fails is tried again after a pause that doubles, and every file is held to its SHA-256.
//! The folder answers measures when all of its files are there.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Take, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};
use reqwest::blocking::{Client, Response};
use reqwest::header::{ETAG, IF_NONE_MATCH, RANGE, RETRY_AFTER};
use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};

use super::{DESCRIPTOR, Dataset, DatasetError, PULLED, Resource, below, files, sha256_of};
use crate::facts::Store;
use crate::facts::writer::{LOCK, lock};

/// How long to wait for a connection, and for the next bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often something is tried again.
const TRIES: usize = 6;

/// The first pause, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(30)];

/// How long a server may ask to wait.
const LONGEST: Duration = Duration::from_secs(120);

/// The manifest of the facts: until it is there, the folder answers nothing new.
const MANIFEST: &str = "manifest.json";

/// No more bytes of a description are read: it has some hundred for each file.
const DESCRIPTION_MOST: u64 = 64 << 20;

/// A dataset that cannot be pulled.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// It is no address.
    #[error("{0:?} is no http(s) address of a dataset")]
    Address(String),
    /// The server does not answer, or the connection broke.
    #[error("{url}: no answer")]
    Http {
        /// What was asked for.
        url: Url,
        /// Why.
        source: reqwest::Error,
    },
    /// The server answers otherwise.
    #[error("{url}: {status}")]
    Status {
        /// What was asked for.
        url: Url,
        /// The answer.
        status: StatusCode,
        /// How long the server asks to wait.
        wait: Option<Duration>,
    },
    /// The description is none of a dataset.
    #[error("{url}: no description of a dataset: {source}")]
    Descriptor {
        /// What was asked for.
        url: Url,
        /// Why.
        source: serde_json::Error,
    },
    /// The folder holds something else.
    #[error("{0}: there is something in it that no pull has written; give a folder that is empty")]
    Foreign(PathBuf),
    /// A file's path leads out of the folder.
    #[error("{0:?} is no path of a file in a dataset")]
    Path(String),
    /// The connection broke in a file.
    #[error("{url}: {source}")]
    Broken {
        /// What was asked for.
        url: Url,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what its description says.
    #[error("{url}: it is not the file that the description tells of")]
    Another {
        /// What was asked for.
        url: Url,
    },
    /// A file cannot be read or written here.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
}

impl PullError {
    /// Whether it may be better later.
    fn passes(&self) -> bool {
        match self {
            PullError::Http { source, .. } => !source.is_builder(),
            PullError::Status { status, .. } => {
                status.is_server_error()
                    || [StatusCode::TOO_MANY_REQUESTS, StatusCode::REQUEST_TIMEOUT].contains(status)
            }
            PullError::Broken { .. } | PullError::Another { .. } => true,
            _ => false,
        }
    }
}

/// What is told while a dataset is pulled.
#[derive(Debug)]
pub enum PullProgress<'a> {
    /// So many bytes are to come, of these files.
    Begins {
        /// How many bytes.
        bytes: u64,
        /// How many files.
        files: usize,
    },
    /// So many more bytes are here.
    Bytes(u64),
    /// So many bytes that were here are asked for again.
    Again(u64),
    /// It is tried again after a pause.
    Pause {
        /// Why.
        error: &'a PullError,
        /// How long.
        pause: Duration,
    },
}

/// What a pull came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// The dataset that is in the folder now.
    pub dataset: Dataset,
    /// How many files were asked for; the others were there.
    pub files: usize,
    /// How many bytes came.
    pub bytes: u64,
}

/// Where the description came from, and its entity tag.
#[derive(Serialize, Deserialize)]
struct Last {
    from: String,
    etag: Option<String>,
}

struct Source<'a> {
    client: Client,
    /// Ends with a slash.
    base: Url,
    to: &'a Path,
}

/// Pulls the dataset at an address (that of its folder or of its `datapackage.json`) into a folder, which is made
/// when it is not there. A dataset that was pulled there before is made this one.
///
/// # Errors
/// When the folder holds something else or another process writes there; then it stays as it is. When the server does
/// not answer again and again, a file is not what the description says, or the folder cannot be written: then what
/// came is kept, and the next pull goes on there.
pub fn pull(
    from: &str,
    to: &Path,
    mut tell: impl FnMut(PullProgress<'_>),
) -> Result<Pulled, PullError> {
    let bad = || PullError::Address(from.to_owned());
    let folder = from.strip_suffix(DESCRIPTOR).unwrap_or(from);
    let base = Url::parse(&format!("{}/", folder.trim_end_matches('/'))).map_err(|_| bad())?;
    if !["http", "https"].contains(&base.scheme()) {
        return Err(bad());
    }
    let client = Client::builder()
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE)
        .build()
        .map_err(|source| PullError::Http {
            url: base.clone(),
            source,
        })?;
    let _lock = take(to, &base)?;
    let source = Source { client, base, to };
    let (text, last) = patiently(&mut tell, |_| source.description())?;
    let url = || source.url(DESCRIPTOR);
    let dataset: Dataset = serde_json::from_slice(&text).map_err(|error| match url() {
        Ok(url) => PullError::Descriptor { url, source: error },
        Err(error) => error,
    })?;
    let mut missing = Vec::new();
    for file in &dataset.resources {
        let path = below(to, &file.path).ok_or_else(|| PullError::Path(file.path.clone()))?;
        if !is_there(&path, file)? {
            missing.push((file, path));
        }
    }
    // What says which files count comes last.
    missing.sort_by_key(|(file, _)| file.path == MANIFEST);
    let bytes: u64 = missing.iter().map(|(file, _)| file.bytes).sum();
    tell(PullProgress::Begins {
        bytes,
        files: missing.len(),
    });
    for (file, path) in &missing {
        patiently(&mut tell, |tell| source.file(file, path, tell))?;
    }
    let came = missing.len();
    drop(missing);
    put(&to.join(DESCRIPTOR), &text)?;
    put(
        &to.join(PULLED),
        &serde_json::to_vec(&last).unwrap_or_default(),
    )?;
    sweep(to, &dataset)?;
    Ok(Pulled {
        files: came,
        dataset,
        bytes,
    })
}

/// Takes the folder for as long as the file is open, and notes that it is one of datasets that are pulled.
fn take(to: &Path, base: &Url) -> Result<File, PullError> {
    fs::create_dir_all(to).map_err(DatasetError::io(to))?;
    let pulled = to.join(PULLED);
    let text = fs::read(&pulled).ok();
    let known = text.is_some_and(|text| serde_json::from_slice::<Last>(&text).is_ok());
    let mut entries = fs::read_dir(to).map_err(DatasetError::io(to))?;
    // Who was cut off between the two has left the lock alone.
    let is_other = |entry: std::io::Result<fs::DirEntry>| {
        entry.map_or(true, |entry| entry.file_name() != LOCK)
    };
    if !known && entries.any(is_other) {
        return Err(PullError::Foreign(to.to_owned()));
    }
    let taken = lock(&Store::new(to)).map_err(DatasetError::from)?;
    if !known {
        let begun = Last {
            from: base.to_string(),
            etag: None,
        };
        put(&pulled, &serde_json::to_vec(&begun).unwrap_or_default())?;
    }
    Ok(taken)
}

/// Does something again and again, with longer and longer pauses, as long as it may be better later.
fn patiently<T, P: FnMut(PullProgress<'_>)>(
    tell: &mut P,
    mut work: impl FnMut(&mut P) -> Result<T, PullError>,
) -> Result<T, PullError> {
    let pauses = ExponentialBuilder::default()
        .with_min_delay(PAUSES[0])
        .with_max_delay(PAUSES[1])
        .with_max_times(TRIES)
        .with_jitter();
    // Both the work and the notice tell.
    let tell = std::cell::RefCell::new(tell);
    let asked = |error: &PullError| match error {
        PullError::Status { wait, .. } => wait.unwrap_or_default().min(LONGEST),
        _ => Duration::ZERO,
    };
    (|| work(&mut **tell.borrow_mut()))
        .retry(pauses)
        .when(PullError::passes)
        .notify(|error, pause| {
            // The server may ask for more.
            let more = asked(error).saturating_sub(pause);
            let pause = pause + more;
            (*tell.borrow_mut())(PullProgress::Pause { error, pause });
            std::thread::sleep(more);
        })
        .call()
}

/// Whether a file is there as it is described.
fn is_there(path: &Path, file: &Resource) -> Result<bool, DatasetError> {
    match fs::metadata(path) {
        Ok(found) if found.len() == file.bytes => {
            let found = sha256_of(path).map_err(DatasetError::io(path))?;
            Ok(file.sha256() == Some(&found))
        }
        _ => Ok(false),
    }
}

/// Writes a file beside its place, and moves it there when it is whole.
fn put(path: &Path, bytes: &[u8]) -> Result<(), DatasetError> {
    let beside = partial(path);
    fs::write(&beside, bytes).map_err(DatasetError::io(&beside))?;
    fs::rename(&beside, path).map_err(DatasetError::io(path))
}

/// Where a file is until it is whole: its name says that it is no Parquet file yet.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// Removes parts that are of another dataset, which was in the folder before.
fn sweep(folder: &Path, dataset: &Dataset) -> Result<(), DatasetError> {
    let counted: HashSet<PathBuf> = (dataset.resources.iter())
        .filter_map(|file| below(folder, &file.path))
        .collect();
    let roots = Store::new(folder).roots().into_iter();
    for root in roots.filter(|root| root.is_dir()) {
        for path in files(&root)? {
            let name = path.rsplit('/').next().unwrap_or_default();
            let file = root.join(&path);
            if name.starts_with("part-") && !counted.contains(&file) {
                fs::remove_file(&file).map_err(DatasetError::io(&file))?;
            }
        }
    }
    Ok(())
}

impl Source<'_> {
    fn url(&self, path: &str) -> Result<Url, PullError> {
        let url = self.base.join(path);
        url.map_err(|_| PullError::Path(path.to_owned()))
    }

    /// An answer of one of these statuses.
    fn ask(
        &self,
        url: &Url,
        headers: &[(reqwest::header::HeaderName, String)],
        good: &[StatusCode],
    ) -> Result<Response, PullError> {
        let request = headers
            .iter()
            .fold(self.client.get(url.clone()), |request, (name, value)| {
                request.header(name, value)
            });
        let answer = request.send().map_err(|source| PullError::Http {
            url: url.clone(),
            source,
        })?;
        let status = answer.status();
        if good.contains(&status) {
            return Ok(answer);
        }
        let wait = answer.headers().get(RETRY_AFTER);
        let wait = wait.and_then(|wait| wait.to_str().ok()?.parse().ok());
        Err(PullError::Status {
            url: url.clone(),
            status,
            wait: wait.map(Duration::from_secs),
        })
    }

    /// The description, which is asked for only when it is not the one that is here.
    fn description(&self) -> Result<(Vec<u8>, Last), PullError> {
        let url = self.url(DESCRIPTOR)?;
        let here = fs::read(self.to.join(DESCRIPTOR)).ok();
        let last: Option<Last> = fs::read(self.to.join(PULLED))
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok());
        let known = last.filter(|last| last.from == self.base.as_str());
        let tag = known.and_then(|known| known.etag);
        let headers: Vec<_> = match (&here, &tag) {
            (Some(_), Some(tag)) => vec![(IF_NONE_MATCH, tag.clone())],
            _ => Vec::new(),
        };
        let good = [StatusCode::OK, StatusCode::NOT_MODIFIED];
        let answer = self.ask(&url, &headers, &good)?;
        let from = self.base.to_string();
        if let (StatusCode::NOT_MODIFIED, Some(here)) = (answer.status(), here) {
            return Ok((here, Last { from, etag: tag }));
        }
        let etag = answer.headers().get(ETAG);
        let etag = etag.and_then(|tag| Some(tag.to_str().ok()?.to_owned()));
        let mut text = Vec::new();
        let read = answer.take(DESCRIPTION_MOST).read_to_end(&mut text);
        read.map_err(|source| PullError::Broken { url, source })?;
        Ok((text, Last { from, etag }))
    }

    /// A file, from where it was cut off.
    fn file(
        &self,
        file: &Resource,
        path: &Path,
        tell: &mut impl FnMut(PullProgress<'_>),
    ) -> Result<(), PullError> {
        let url = self.url(&file.path)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(DatasetError::io(folder))?;
        }
        let partial = partial(path);
        let mut begun = fs::metadata(&partial).map_or(0, |begun| begun.len());
        if begun > file.bytes {
            begun = 0;
        }
        if begun < file.bytes || file.bytes == 0 {
            let headers = match begun {
                0 => Vec::new(),
                begun => vec![(RANGE, format!("bytes={begun}-"))],
            };
            let good = [StatusCode::OK, StatusCode::PARTIAL_CONTENT];
            let answer = self.ask(&url, &headers, &good)?;
            let goes_on = begun > 0 && answer.status() == StatusCode::PARTIAL_CONTENT;
            let mut options = OpenOptions::new();
            let opened = match goes_on {
                true => options.append(true).open(&partial),
                false => options
                    .write(true)
                    .create(true)
                    .truncate(true)
                    .open(&partial),
            };
            let kept = opened.map_err(DatasetError::io(&partial))?;
            let missing = file.bytes - if goes_on { begun } else { 0 };
            // One more tells that it is another file, however many a server has to give.
            copy(
                answer.take(missing.saturating_add(1)),
                kept,
                &url,
                &partial,
                tell,
            )?;
        }
        if !is_there(&partial, file)? {
            let length = fs::metadata(&partial).map_or(0, |found| found.len());
            // A shorter one was cut off and goes on.
            if length >= file.bytes {
                let _ = fs::remove_file(&partial);
                tell(PullProgress::Again(length));
            }
            return Err(PullError::Another { url });
        }
        fs::rename(&partial, path).map_err(DatasetError::io(path))?;
        Ok(())
    }
}

/// What comes is written as it comes, so that it is there when the connection breaks.
fn copy(
    mut answer: Take<Response>,
    mut kept: File,
    url: &Url,
    path: &Path,
    tell: &mut impl FnMut(PullProgress<'_>),
) -> Result<(), PullError> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match answer.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(source) => {
                return Err(PullError::Broken {
                    url: url.clone(),
                    source,
                });
            }
        };
        let written = kept.write_all(&buffer[..count]);
        written.map_err(DatasetError::io(path))?;
        tell(PullProgress::Bytes(count as u64));
    }
    kept.sync_all().map_err(DatasetError::io(path))?;
    Ok(())
}
