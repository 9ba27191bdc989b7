//! Tiles: the parts in which a tree is published, and their paths.

use std::fmt::Write;

/// The number of hashes in a full tile.
pub const TILE_WIDTH: u64 = 256;

/// A tile: up to 256 consecutive hashes of a level.
///
/// Level 0 has the hashes of leaves. Each hash of a higher level is that of a full tile of the level below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// The level, from 0 to 63.
    pub level: u8,
    /// The index within the level.
    pub index: u64,
    /// The number of hashes, from 1 to 256.
    pub width: u16,
}

impl Tile {
    /// Returns the tile with this index in a tree of `size` leaves. Its width is 0 if the tree has no such tile.
    pub fn in_tree(level: u8, index: u64, size: u64) -> Tile {
        let hashes = size.checked_shr(8 * u32::from(level)).unwrap_or(0);
        let width = hashes.saturating_sub(index.saturating_mul(TILE_WIDTH));
        Tile {
            level,
            index,
            width: width.min(TILE_WIDTH) as u16,
        }
    }

    /// Returns the path below the address of the log, such as `tile/0/x001/067.p/8`.
    pub fn path(&self) -> String {
        format!("tile/{}/{}", self.level, tile_name(self.index, self.width))
    }

    /// Returns the path of the entries that are the leaves of a tile of level 0.
    pub fn entries_path(&self) -> String {
        format!("tile/entries/{}", tile_name(self.index, self.width))
    }
}

/// Returns the name of a tile within its level: its index in groups of three digits, and the width of a partial tile.
fn tile_name(index: u64, width: u16) -> String {
    let mut name = format!("{:03}", index % 1000);
    let mut rest = index / 1000;
    while rest > 0 {
        name = format!("x{:03}/{name}", rest % 1000);
        rest /= 1000;
    }
    if u64::from(width) < TILE_WIDTH {
        // Writing to a text never fails.
        let _ = write!(name, ".p/{width}");
    }
    name
}

/// Reads the name of a tile. Returns its index and width; `None` for any text that is not exactly the name.
pub fn parse_tile_name(text: &str) -> Option<(u64, u16)> {
    let (path, width) = match text.split_once(".p/") {
        Some((path, width)) => (path, width.parse().ok()?),
        None => (text, TILE_WIDTH as u16),
    };
    let mut index: u64 = 0;
    for part in path.split('/') {
        let digits: u64 = part.trim_start_matches('x').parse().ok()?;
        index = index.checked_mul(1000)?.checked_add(digits)?;
    }
    (width > 0 && tile_name(index, width) == text).then_some((index, width))
}

/// Writes entries as a bundle: each with its length in two bytes before it, the higher one first.
/// `None` if an entry is longer than 65535 bytes.
pub fn write_entries<'a>(entries: impl IntoIterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let mut bundle = Vec::new();
    for entry in entries {
        bundle.extend(u16::try_from(entry.len()).ok()?.to_be_bytes());
        bundle.extend(entry);
    }
    Some(bundle)
}

/// Reads the entries of a bundle; `None` if it ends within an entry.
pub fn read_entries(mut bundle: &[u8]) -> Option<Vec<&[u8]>> {
    let mut entries = Vec::new();
    while !bundle.is_empty() {
        let (length, rest) = bundle.split_first_chunk::<2>()?;
        let (entry, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        entries.push(entry);
        bundle = rest;
    }
    Some(entries)
}
