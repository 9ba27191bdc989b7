//! Merkle trees of RFC 6962: hashes, proofs, and their checks.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::tlog::{TILE_WIDTH, Tile};

/// A hash of a leaf or a node: 32 bytes of SHA-256.
pub type TreeHash = [u8; 32];

/// Returns the hash of a leaf.
pub fn leaf_hash(leaf: &[u8]) -> TreeHash {
    Sha256::new()
        .chain_update([0])
        .chain_update(leaf)
        .finalize()
        .into()
}

/// Returns the hash of a node with two children.
pub fn node_hash(left: &TreeHash, right: &TreeHash) -> TreeHash {
    Sha256::new()
        .chain_update([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// Returns the root of a tree without leaves.
pub fn empty_root() -> TreeHash {
    Sha256::digest([]).into()
}

/// Returns the hash of a complete subtree from the hashes of one of its levels, whose number is a power of two.
/// `None` if there is none.
pub fn fold_level(mut level: Vec<TreeHash>) -> Option<TreeHash> {
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [left, right] => node_hash(left, right),
                rest => rest.first().copied().unwrap_or_default(),
            })
            .collect();
    }
    level.pop()
}

/// Computes the root of a tree from its leaves in order, in little memory.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    size: u64,
    /// The hashes of the complete subtrees, the largest first.
    complete: Vec<TreeHash>,
}

impl TreeBuilder {
    /// Adds the hash of the next leaf.
    pub fn push(&mut self, mut hash: TreeHash) {
        let mut size = self.size;
        while size & 1 == 1
            && let Some(left) = self.complete.pop()
        {
            hash = node_hash(&left, &hash);
            size >>= 1;
        }
        self.complete.push(hash);
        self.size += 1;
    }

    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the root.
    pub fn root(&self) -> TreeHash {
        let mut hashes = self.complete.iter().rev().copied();
        match hashes.next() {
            Some(last) => hashes.fold(last, |right, left| node_hash(&left, &right)),
            None => empty_root(),
        }
    }
}

/// A tree of a certain size whose hashes are read from tiles.
#[derive(Debug)]
pub struct HashTree<R> {
    size: u64,
    read: R,
    tiles: HashMap<(u8, u64), Vec<TreeHash>>,
}

/// Why a tree cannot be computed from its tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError<E> {
    /// A tile cannot be read.
    #[error("{0}")]
    Read(E),
    /// A tile is too short.
    #[error("the tile {} has too few hashes", .0.path())]
    Short(Tile),
    /// The tree has no such leaf or no such earlier size.
    #[error("the tree of {0} leaves has no leaf or size {1}")]
    Range(u64, u64),
}

impl<R, E> HashTree<R>
where
    R: FnMut(Tile) -> Result<Vec<TreeHash>, E>,
{
    /// Creates the tree of the first `size` leaves. `read` returns the hashes of a tile.
    pub fn new(size: u64, read: R) -> HashTree<R> {
        HashTree {
            size,
            read,
            tiles: HashMap::new(),
        }
    }

    /// Returns the root.
    ///
    /// # Errors
    /// If a tile cannot be read.
    pub fn root(&mut self) -> Result<TreeHash, TreeError<E>> {
        match self.size {
            0 => Ok(empty_root()),
            size => self.range(0, size),
        }
    }

    /// Returns the inclusion proof of a leaf, from its sibling up [RFC 6962, 2.1.1].
    ///
    /// # Errors
    /// If there is no such leaf, or a tile cannot be read.
    pub fn inclusion(&mut self, index: u64) -> Result<Vec<TreeHash>, TreeError<E>> {
        if index >= self.size {
            return Err(TreeError::Range(self.size, index));
        }
        let (mut low, mut high) = (0, self.size);
        let mut proof = Vec::new();
        while high - low > 1 {
            let middle = low + split(high - low);
            if index < middle {
                proof.push(self.range(middle, high)?);
                high = middle;
            } else {
                proof.push(self.range(low, middle)?);
                low = middle;
            }
        }
        proof.reverse();
        Ok(proof)
    }

    /// Returns the consistency proof from an earlier size [RFC 6962, 2.1.2]. It is empty from size 0.
    ///
    /// # Errors
    /// If the earlier size is larger than the tree, or a tile cannot be read.
    pub fn consistency(&mut self, earlier: u64) -> Result<Vec<TreeHash>, TreeError<E>> {
        if earlier > self.size {
            return Err(TreeError::Range(self.size, earlier));
        }
        if earlier == 0 || earlier == self.size {
            return Ok(Vec::new());
        }
        let (mut low, mut high) = (0, self.size);
        let mut proof = Vec::new();
        while earlier != high {
            let middle = low + split(high - low);
            if earlier <= middle {
                proof.push(self.range(middle, high)?);
                high = middle;
            } else {
                proof.push(self.range(low, middle)?);
                low = middle;
            }
        }
        // A subtree that begins with the first leaf is the earlier tree itself, whose root is known.
        if low > 0 {
            proof.push(self.range(low, high)?);
        }
        proof.reverse();
        Ok(proof)
    }

    /// Returns the hash of the leaves from `low` to `high`, which is excluded.
    fn range(&mut self, low: u64, high: u64) -> Result<TreeHash, TreeError<E>> {
        let count = high - low;
        if count.is_power_of_two() && low.is_multiple_of(count) {
            return self.complete(low, count.trailing_zeros());
        }
        let middle = low + split(count);
        let left = self.range(low, middle)?;
        Ok(node_hash(&left, &self.range(middle, high)?))
    }

    /// Returns the hash of a complete subtree with `2^height` leaves from `low`.
    fn complete(&mut self, low: u64, height: u32) -> Result<TreeHash, TreeError<E>> {
        let level = height / 8;
        let place = low >> (8 * level);
        let (index, offset) = (place / TILE_WIDTH, (place % TILE_WIDTH) as usize);
        let level = level as u8;
        let tile = Tile::in_tree(level, index, self.size);
        if !self.tiles.contains_key(&(level, index)) {
            let hashes = (self.read)(tile).map_err(TreeError::Read)?;
            self.tiles.insert((level, index), hashes);
        }
        let hashes = self.tiles.get(&(level, index));
        let within = hashes.and_then(|hashes| hashes.get(offset..offset + (1 << (height % 8))));
        within
            .and_then(|within| fold_level(within.to_vec()))
            .ok_or(TreeError::Short(tile))
    }
}

/// Returns the largest power of two that is smaller than a number of at least 2.
fn split(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}

/// Returns the root that follows from a leaf's hash and its inclusion proof.
/// `None` if the proof cannot belong to this index and size.
pub fn root_from_inclusion(
    leaf: TreeHash,
    index: u64,
    size: u64,
    proof: &[TreeHash],
) -> Option<TreeHash> {
    if index >= size {
        return None;
    }
    let (mut node, mut last, mut hash) = (index, size - 1, leaf);
    for sibling in proof {
        if last == 0 {
            return None;
        }
        if node & 1 == 1 || node == last {
            hash = node_hash(sibling, &hash);
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            hash = node_hash(&hash, sibling);
        }
        node >>= 1;
        last >>= 1;
    }
    (last == 0).then_some(hash)
}

/// Returns whether a consistency proof shows that a tree begins with the leaves of an earlier one.
pub fn is_consistent(
    (earlier, earlier_root): (u64, TreeHash),
    (size, root): (u64, TreeHash),
    proof: &[TreeHash],
) -> bool {
    if earlier == 0 {
        return proof.is_empty() && earlier_root == empty_root();
    }
    if earlier >= size {
        return earlier == size && proof.is_empty() && earlier_root == root;
    }
    let mut hashes = proof.iter();
    let first = match earlier.is_power_of_two() {
        true => Some(&earlier_root),
        false => hashes.next(),
    };
    let Some(&first) = first else {
        return false;
    };
    let (mut node, mut last) = (earlier - 1, size - 1);
    while node & 1 == 1 {
        node >>= 1;
        last >>= 1;
    }
    let (mut old, mut new) = (first, first);
    for hash in hashes {
        if last == 0 {
            return false;
        }
        if node & 1 == 1 || node == last {
            old = node_hash(hash, &old);
            new = node_hash(hash, &new);
            while node & 1 == 0 && node != 0 {
                node >>= 1;
                last >>= 1;
            }
        } else {
            new = node_hash(&new, hash);
        }
        node >>= 1;
        last >>= 1;
    }
    last == 0 && old == earlier_root && new == root
}
