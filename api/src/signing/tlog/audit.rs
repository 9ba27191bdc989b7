//! Audits the transparency log: leaves, hashes of tiles, and signed heads.

use records::PublicKeys;
use records::tlog::{
    Leaf, TILE_WIDTH, Tile, TreeBuilder, TreeHash, TreeHead, fold_level, leaf_hash,
};

use crate::http::error::ServiceError;
use crate::signing::service::Signing;

/// How many leaves are read at a time: those of a tile.
const TOGETHER: i64 = TILE_WIDTH as i64;

/// A signed head of the log that is stored outside the database.
#[derive(Clone, Debug)]
pub struct KeptHead {
    /// Where it is stored, such as the name of a file.
    pub origin: String,
    /// The signed note.
    pub note: String,
}

impl Signing {
    /// Checks every leaf and every hash of the log, and compares it with its last signed head and with `elsewhere`.
    /// Returns the number of leaves.
    ///
    /// `fault` receives what is wrong. Without keys, signed heads are not compared.
    pub(crate) fn audit_log<E: From<ServiceError>>(
        &self,
        keys: &PublicKeys,
        elsewhere: &[KeptHead],
        mut fault: impl FnMut(String) -> Result<(), E>,
    ) -> Result<u64, E> {
        let stored = self.store.log_head().map_err(ServiceError::from)?;
        let own = stored.map(|row| KeptHead {
            origin: "the database".to_owned(),
            note: row.note,
        });
        let mut heads: Vec<(&str, TreeHead)> = Vec::new();
        for kept in own.iter().chain(elsewhere).filter(|_| !keys.is_empty()) {
            match TreeHead::verify(&kept.note, keys) {
                Ok(head) => heads.push((&kept.origin, head)),
                Err(error) => fault(format!("transparency log, {}: {error}", kept.origin))?,
            }
        }
        for pair in heads.windows(2) {
            if let [(_, one), (name, other)] = pair
                && one.origin != other.origin
            {
                fault(format!(
                    "transparency log, {name}: it is of the log {}, not of {}",
                    other.origin, one.origin
                ))?;
            }
        }
        heads.sort_by_key(|(_, head)| head.size);
        let mut heads = heads.into_iter().peekable();
        let mut builder = TreeBuilder::default();
        let mut levels = TileLevels::default();
        let mut next = 0;
        loop {
            let rows = self
                .store
                .leaves_from(next, TOGETHER)
                .map_err(ServiceError::from)?;
            let mut head_fault = Vec::new();
            let mut compare = |builder: &TreeBuilder| {
                while let Some((name, head)) =
                    heads.next_if(|(_, head)| head.size == builder.size())
                {
                    if head.root != builder.root() {
                        head_fault.push(format!(
                            "transparency log, {name}: its first {} leaves are not those that were signed: leaves \
                             were changed, reordered or removed",
                            head.size
                        ));
                    }
                }
            };
            compare(&builder);
            let is_last = rows.len() < TOGETHER as usize;
            let mut faults = Vec::new();
            for row in rows {
                if row.index != next {
                    faults.push(format!(
                        "transparency log: leaf {next} is missing, and leaf {} follows",
                        row.index
                    ));
                }
                next = row.index + 1;
                let read: Result<Leaf, String> = row.leaf.parse();
                let is_own =
                    |leaf: &Leaf| leaf.kind.to_string() == row.kind && leaf.is_about(&row.subject);
                if !read.is_ok_and(|leaf| is_own(&leaf)) {
                    faults.push(format!(
                        "transparency log: leaf {} is not about the {} {}",
                        row.index, row.kind, row.subject
                    ));
                }
                let hash = leaf_hash(row.leaf.as_bytes());
                builder.push(hash);
                levels.push(0, hash);
                compare(&builder);
            }
            for message in faults.into_iter().chain(head_fault) {
                fault(message)?;
            }
            for (level, index, hash) in levels.full.drain(..) {
                let tile = Tile {
                    level,
                    index: index / TILE_WIDTH,
                    width: (index % TILE_WIDTH + 1) as u16,
                };
                let stored = self.store.tile_hashes(tile).map_err(ServiceError::from)?;
                if stored.last() != Some(&hash) || stored.len() != usize::from(tile.width) {
                    fault(format!(
                        "transparency log: hash {index} of level {level} does not follow from the leaves"
                    ))?;
                }
            }
            if is_last {
                break;
            }
        }
        for (name, head) in heads {
            let size = builder.size();
            fault(format!(
                "transparency log, {name}: {} leaves were signed, and the log has {size}: leaves were removed",
                head.size
            ))?;
        }
        let count = self.store.count_tile_hashes().map_err(ServiceError::from)?;
        if count as u64 != levels.count {
            let expected = levels.count;
            fault(format!(
                "transparency log: it has {count} hashes of tiles, and {expected} follow from the leaves"
            ))?;
        }
        let stray = self.store.leaves_of_no_game().map_err(ServiceError::from)?;
        if stray > 0 {
            fault(format!(
                "transparency log: {stray} leaves are about games that do not exist"
            ))?;
        }
        Ok(builder.size())
    }
}

/// Computes the hashes of full tiles from the leaves in order.
#[derive(Default)]
struct TileLevels {
    open: Vec<Vec<TreeHash>>,
    /// The hashes of full tiles that were completed: level, index and hash.
    full: Vec<(u8, u64, TreeHash)>,
    counts: Vec<u64>,
    count: u64,
}

impl TileLevels {
    fn push(&mut self, level: usize, hash: TreeHash) {
        if self.open.len() <= level {
            self.open.push(Vec::new());
            self.counts.push(0);
        }
        let open = &mut self.open[level];
        open.push(hash);
        if open.len() < TILE_WIDTH as usize {
            return;
        }
        let full = std::mem::take(open);
        let index = self.counts[level];
        self.counts[level] += 1;
        self.count += 1;
        let hash = fold_level(full).unwrap_or_default();
        self.full.push((level as u8 + 1, index, hash));
        self.push(level + 1, hash);
    }
}
