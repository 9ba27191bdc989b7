//! `tabularium verify --mirror`: keeps a copy of a server's transparency log, and finds a rewritten or split one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use records::PublicKeys;
use records::tlog::{
    Leaf, LeafKind, TILE_WIDTH, Tile, TreeBuilder, TreeHead, leaf_hash, read_entries, write_entries,
};
use reqwest::{Client, StatusCode, Url};

use crate::signing::tlog::handlers::{CHECKPOINT_PATH, PREFIX};

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The last checkpoint that fitted.
const CHECKPOINT: &str = "checkpoint";

/// All leaves up to it, as a bundle of entries.
const ENTRIES: &str = "entries";

/// The keys of the server when the mirror began.
const KEYS: &str = "keys.json";

/// A checkpoint that did not fit.
const REFUSED: &str = "checkpoint.refused";

/// A copy of the log of a server in a folder.
#[derive(Debug)]
pub struct Mirror<'a> {
    folder: &'a Path,
    server: &'a Url,
    client: Client,
}

/// What a mirror has copied.
#[derive(Debug)]
struct Copied {
    head: Option<TreeHead>,
    leaves: Vec<Vec<u8>>,
}

impl Mirror<'_> {
    /// Creates the mirror. The folder is created if it is missing.
    pub fn new<'a>(folder: &'a Path, server: &'a Url) -> anyhow::Result<Mirror<'a>> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Mirror {
            folder,
            server,
            client: Client::builder().timeout(PATIENCE).build()?,
        })
    }

    /// Copies what was added to the log, and checks that it continues the copy.
    /// Without `keys`, those of the server are stored at the first time and used ever after.
    ///
    /// # Errors
    /// If the log does not continue the copy, no known key has signed it, or the server does not answer.
    pub async fn update(&self, keys: Option<PublicKeys>) -> anyhow::Result<()> {
        let keys = match keys {
            Some(keys) => keys,
            None => self.first_keys().await?,
        };
        let Copied { head, mut leaves } = self.read_copy(&keys)?;
        let note = String::from_utf8(self.get(CHECKPOINT_PATH).await?)
            .context("the checkpoint of the server is not a text")?;
        let new = TreeHead::verify(&note, &keys).context("the checkpoint of the server")?;
        let fits = match &head {
            Some(old) => self.compare(old, &new),
            None => Ok(()),
        };
        let fits = match fits {
            Ok(()) => self.add_leaves(&new, &mut leaves).await,
            wrong => wrong,
        };
        if let Err(error) = fits {
            let refused = self.folder.join(REFUSED);
            write(&refused, note.as_bytes())?;
            let kept = self.folder.join(CHECKPOINT);
            return Err(error.context(format!(
                "the log of {} does not continue its copy. Keep {} and {}: both are signed, and prove it to others",
                self.server,
                kept.display(),
                refused.display()
            )));
        }
        let bundle = write_entries(leaves.iter().map(Vec::as_slice));
        write(
            &self.folder.join(ENTRIES),
            &bundle.context("a leaf is too long")?,
        )?;
        write(&self.folder.join(CHECKPOINT), note.as_bytes())?;
        let old = head.map_or(0, |head| head.size);
        eprintln!(
            "{} leaves of the log {}, {} of them new",
            new.size,
            new.origin,
            new.size - old
        );
        Ok(())
    }

    /// Returns the keys with which the mirror began. At the first time, these are the present ones of the server.
    async fn first_keys(&self) -> anyhow::Result<PublicKeys> {
        let file = self.folder.join(KEYS);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text = String::from_utf8(self.get("/v1/keys").await?)?;
                write(&file, text.as_bytes())?;
                text
            }
            Err(error) => return Err(error).with_context(|| file.display().to_string()),
        };
        text.parse().with_context(|| file.display().to_string())
    }

    /// Reads the copy and checks that its leaves lead to its checkpoint.
    fn read_copy(&self, keys: &PublicKeys) -> anyhow::Result<Copied> {
        let note = self.folder.join(CHECKPOINT);
        if !note.exists() {
            return Ok(Copied {
                head: None,
                leaves: Vec::new(),
            });
        }
        let text = std::fs::read_to_string(&note).with_context(|| note.display().to_string())?;
        let head = TreeHead::verify(&text, keys).with_context(|| note.display().to_string())?;
        let file = self.folder.join(ENTRIES);
        let bundle = std::fs::read(&file).with_context(|| file.display().to_string())?;
        let entries = read_entries(&bundle).unwrap_or_default();
        let mut leaves: Vec<Vec<u8>> = entries.into_iter().map(<[u8]>::to_vec).collect();
        // The leaves are written before the checkpoint.
        leaves.truncate(usize::try_from(head.size)?);
        if root_of(&leaves) != (head.size, head.root) {
            bail!(
                "{} does not lead to {}: restore both, or begin with an empty folder",
                file.display(),
                note.display()
            );
        }
        Ok(Copied {
            head: Some(head),
            leaves,
        })
    }

    /// Compares two checkpoints without the leaves between them.
    fn compare(&self, old: &TreeHead, new: &TreeHead) -> anyhow::Result<()> {
        if old.origin != new.origin {
            bail!("the log is {} instead of {}", new.origin, old.origin);
        }
        if new.size < old.size {
            bail!("the log has {} leaves, and had {}", new.size, old.size);
        }
        if new.size == old.size && new.root != old.root {
            bail!(
                "split view: two signed checkpoints of {} leaves have different roots",
                new.size
            );
        }
        Ok(())
    }

    /// Adds the leaves up to the new checkpoint, and checks that all of them lead to it.
    async fn add_leaves(&self, new: &TreeHead, leaves: &mut Vec<Vec<u8>>) -> anyhow::Result<()> {
        let mut index = leaves.len() as u64 / TILE_WIDTH;
        while (leaves.len() as u64) < new.size {
            let tile = Tile::in_tree(0, index, new.size);
            let path = tile.entries_path();
            let bundle = self.get(&format!("{PREFIX}/{path}")).await?;
            let entries = read_entries(&bundle).filter(|all| all.len() == usize::from(tile.width));
            let entries =
                entries.with_context(|| format!("{path} has another number of leaves"))?;
            let known = leaves.len() - usize::try_from(index * TILE_WIDTH)?;
            leaves.extend(entries.into_iter().skip(known).map(<[u8]>::to_vec));
            index += 1;
        }
        if root_of(leaves) != (new.size, new.root) {
            bail!(
                "split view: the copied leaves and the new ones do not lead to the signed root of {} leaves",
                new.size
            );
        }
        check_leaves(leaves)
    }

    async fn get(&self, path: &str) -> anyhow::Result<Vec<u8>> {
        let url = self.server.join(path)?;
        let answer = self.client.get(url.clone()).send().await;
        let answer = answer.with_context(|| format!("{url} does not answer"))?;
        match answer.status() {
            StatusCode::OK => Ok(answer.bytes().await?.to_vec()),
            status => bail!("{url} answers {status}"),
        }
    }
}

/// Checks that no game has two leaves and that each log of a league only grows.
fn check_leaves(leaves: &[Vec<u8>]) -> anyhow::Result<()> {
    let mut last: HashMap<(LeafKind, String), u64> = HashMap::new();
    for (index, bytes) in leaves.iter().enumerate() {
        let text = std::str::from_utf8(bytes).context("a leaf is not a text")?;
        let leaf: Leaf = text.parse().map_err(anyhow::Error::msg)?;
        let before = last.insert((leaf.kind, leaf.subject.clone()), leaf.seq);
        let follows = match leaf.kind {
            LeafKind::Game | LeafKind::Checkpoint => before.is_none(),
            LeafKind::League => before.is_none_or(|before| before < leaf.seq),
        };
        if !follows {
            bail!(
                "leaf {index} is a second statement about the same {}: {}",
                leaf.kind,
                leaf.subject
            );
        }
    }
    Ok(())
}

fn root_of(leaves: &[Vec<u8>]) -> (u64, [u8; 32]) {
    let mut builder = TreeBuilder::default();
    leaves.iter().for_each(|leaf| builder.push(leaf_hash(leaf)));
    (builder.size(), builder.root())
}

fn write(file: &PathBuf, content: &[u8]) -> anyhow::Result<()> {
    std::fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}
