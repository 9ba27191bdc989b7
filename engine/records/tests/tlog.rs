//! The transparency log: known hashes, proofs of all sizes, and forgeries of each.

use std::collections::BTreeMap;
use std::convert::Infallible;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use records::tlog::{
    HashTree, InclusionProof, Leaf, LeafKind, NoteError, ProofError, SignedNote, TILE_WIDTH, Tile,
    TreeBuilder, TreeError, TreeHash, TreeHead, empty_root, fold_level, is_consistent, leaf_hash,
    node_hash, parse_tile_name, read_entries, root_from_inclusion, write_entries,
};
use records::{PublicKey, PublicKeys, Record, SecretKey, Signature};

/// The leaves of the known answers that accompany RFC 6962.
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];

/// The roots of the first 1 to 8 of them.
const ROOTS: [&str; 8] = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

fn key() -> SecretKey {
    SecretKey::from_seed(&[7; 32])
}

fn keys() -> PublicKeys {
    let mut keys = PublicKeys::default();
    keys.add(key().public());
    keys
}

/// Returns the hashes of leaves, which differ by `salt`.
fn hashes(size: u64, salt: u8) -> Vec<TreeHash> {
    let leaf = |number: u64| leaf_hash(&[&number.to_be_bytes()[..], &[salt]].concat());
    (0..size).map(leaf).collect()
}

fn root(leaves: &[TreeHash]) -> TreeHash {
    let mut builder = TreeBuilder::default();
    leaves.iter().for_each(|hash| builder.push(*hash));
    builder.root()
}

/// Returns a tree of the first leaves, read from tiles. Only tiles that a tree of this size has can be read.
fn tree(
    leaves: &[TreeHash],
) -> HashTree<impl FnMut(Tile) -> Result<Vec<TreeHash>, Infallible> + use<>> {
    let mut levels = vec![leaves.to_vec()];
    while let Some(level) = levels.last().filter(|level| level.len() >= 256) {
        let above = level.chunks_exact(256);
        levels.push(above.filter_map(|full| fold_level(full.to_vec())).collect());
    }
    HashTree::new(leaves.len() as u64, move |tile: Tile| {
        let begin = (tile.index * TILE_WIDTH) as usize;
        let level = &levels[usize::from(tile.level)];
        Ok(level[begin..begin + usize::from(tile.width)].to_vec())
    })
}

#[test]
fn hashes_are_those_of_rfc_6962() {
    assert_eq!(
        hex::encode(empty_root()),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    let leaves = LEAVES.map(|leaf| leaf_hash(&hex::decode(leaf).unwrap()));
    for (size, expected) in (1..).zip(ROOTS) {
        assert_eq!(hex::encode(root(&leaves[..size])), expected);
        let mut tree = tree(&leaves[..size]);
        assert_eq!(hex::encode(tree.root().unwrap()), expected);
    }
    // The proof of the first leaf of eight, and of the sixth.
    let proof = |index| {
        let proof = tree(&leaves).inclusion(index).unwrap();
        proof.iter().map(hex::encode).collect::<Vec<_>>()
    };
    assert_eq!(
        proof(0),
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ]
    );
    assert_eq!(
        proof(5),
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]
    );
    let proof = tree(&leaves).consistency(6).unwrap();
    assert_eq!(
        proof.iter().map(hex::encode).collect::<Vec<_>>(),
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ]
    );
}

#[test]
fn every_leaf_and_every_earlier_size_is_proved_and_nothing_else() {
    const MOST: u64 = 70;
    let leaves = hashes(MOST, 0);
    let roots: Vec<TreeHash> = (0..=MOST)
        .map(|size| root(&leaves[..size as usize]))
        .collect();
    for size in 0..=MOST {
        let new = roots[size as usize];
        let mut tree = tree(&leaves[..size as usize]);
        assert_eq!(tree.root().unwrap(), new);
        for index in 0..size {
            let proof = tree.inclusion(index).unwrap();
            let leaf = leaves[index as usize];
            assert_eq!(root_from_inclusion(leaf, index, size, &proof), Some(new));
            for other in [index.wrapping_sub(1), index + 1] {
                assert_ne!(root_from_inclusion(leaf, other, size, &proof), Some(new));
            }
            assert_ne!(root_from_inclusion([0; 32], index, size, &proof), Some(new));
            let longer = [&proof[..], &[leaf]].concat();
            assert_eq!(root_from_inclusion(leaf, index, size, &longer), None);
            for at in 0..proof.len() {
                let mut forged = proof.clone();
                forged[at][31] ^= 1;
                assert_ne!(root_from_inclusion(leaf, index, size, &forged), Some(new));
                forged.remove(at);
                assert_ne!(root_from_inclusion(leaf, index, size, &forged), Some(new));
            }
        }
        assert_eq!(tree.inclusion(size), Err(TreeError::Range(size, size)));
        assert_eq!(
            tree.consistency(size + 1),
            Err(TreeError::Range(size, size + 1))
        );
        for earlier in 0..=size {
            let old = roots[earlier as usize];
            let proof = tree.consistency(earlier).unwrap();
            assert!(
                is_consistent((earlier, old), (size, new), &proof),
                "{earlier} {size}"
            );
            assert!(!is_consistent((earlier, [0; 32]), (size, new), &proof));
            let to_another = is_consistent((earlier, old), (size, [0; 32]), &proof);
            assert_eq!(to_another, earlier == 0 && proof.is_empty());
            let longer = [&proof[..], &[old]].concat();
            assert!(!is_consistent((earlier, old), (size, new), &longer));
            for at in 0..proof.len() {
                let mut forged = proof.clone();
                forged[at][0] ^= 1;
                assert!(!is_consistent((earlier, old), (size, new), &forged));
                forged.remove(at);
                assert!(!is_consistent((earlier, old), (size, new), &forged));
            }
        }
    }
}

#[test]
fn a_rewritten_history_has_no_consistency_proof() {
    let leaves = hashes(40, 0);
    let old = (30, root(&leaves[..30]));
    let mut changed = leaves.clone();
    changed[11] = hashes(12, 1)[11];
    let mut dropped = leaves.clone();
    dropped.remove(11);
    let mut inserted = leaves.clone();
    inserted.insert(11, [3; 32]);
    let mut reordered = leaves.clone();
    reordered.swap(11, 12);
    for history in [changed, dropped, inserted, reordered] {
        let new = (history.len() as u64, root(&history));
        let proof = tree(&history).consistency(30).unwrap();
        assert!(!is_consistent(old, new, &proof));
        // The proof of the true history does not fit either.
        let proof = tree(&leaves[..history.len().min(40)])
            .consistency(30)
            .unwrap();
        assert!(!is_consistent(old, new, &proof));
    }
    let proof = tree(&leaves).consistency(30).unwrap();
    assert!(is_consistent(old, (40, root(&leaves)), &proof));
    // An older head than the known one is no later state.
    assert!(!is_consistent((40, root(&leaves)), old, &proof));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn trees_of_several_levels_of_tiles_are_proved(size in 250_u64..2_000, at in 0.0..1.0_f64) {
        let leaves = hashes(size, 0);
        let place = ((size - 1) as f64 * at) as u64;
        let new = root(&leaves);
        let mut tree = tree(&leaves);
        prop_assert_eq!(tree.root().unwrap(), new);
        let proof = tree.inclusion(place).unwrap();
        prop_assert_eq!(root_from_inclusion(leaves[place as usize], place, size, &proof), Some(new));
        let proof = tree.consistency(place + 1).unwrap();
        let old = root(&leaves[..=place as usize]);
        prop_assert!(is_consistent((place + 1, old), (size, new), &proof));
    }

    #[test]
    fn names_of_tiles_are_read_as_they_are_written(index in any::<u64>(), width in 1_u16..=256) {
        let tile = Tile { level: 3, index, width };
        let path = tile.path();
        prop_assert_eq!(parse_tile_name(path.strip_prefix("tile/3/").unwrap()), Some((index, width)));
        prop_assert_eq!(tile.entries_path(), path.replace("tile/3/", "tile/entries/"));
    }

    #[test]
    fn no_text_breaks_the_readers(text in "\\PC*", bytes in any::<Vec<u8>>()) {
        let _ = parse_tile_name(&text);
        let _ = read_entries(&bytes);
        let _ = text.parse::<Leaf>();
        let _ = TreeHead::verify(&text, &keys());
    }
}

#[test]
fn tiles_have_the_paths_and_widths_of_the_specification() {
    let tile = |level, index, width| Tile {
        level,
        index,
        width,
    };
    assert_eq!(tile(0, 1_234_067, 256).path(), "tile/0/x001/x234/067");
    assert_eq!(tile(2, 0, 1).path(), "tile/2/000.p/1");
    assert_eq!(tile(0, 273, 112).entries_path(), "tile/entries/273.p/112");
    for wrong in [
        "",
        "1",
        "01",
        "0001",
        "x001",
        "001/067",
        "x001/x067",
        "X001/067",
        "067.p/0",
        "067.p/256",
        "067.p/01",
        "067.p/",
        "+01",
        "067/",
        "/067",
        "x000/067",
        "067.p/1/x",
    ] {
        assert_eq!(parse_tile_name(wrong), None, "{wrong}");
    }
    // The example of a tree of 70,000 leaves.
    let width = |level, index| Tile::in_tree(level, index, 70_000).width;
    assert_eq!((width(0, 272), width(0, 273), width(0, 274)), (256, 112, 0));
    assert_eq!((width(1, 0), width(1, 1), width(1, 2)), (256, 17, 0));
    assert_eq!(
        (width(2, 0), width(2, 1), width(3, 0), width(63, 0)),
        (1, 0, 0, 0)
    );
    let entries: [&[u8]; 3] = [b"one", b"", b"three"];
    let bundle = write_entries(entries).unwrap();
    assert_eq!(bundle, b"\x00\x03one\x00\x00\x00\x05three");
    assert_eq!(read_entries(&bundle).unwrap(), entries);
    assert_eq!(read_entries(&bundle[..8]), None);
    assert_eq!(write_entries([&[0; 65_536][..]]), None);
}

#[test]
fn notes_are_those_of_the_specification() {
    // The example of c2sp.org/signed-note and its key, which is the last 32 bytes of the verifier key.
    let note = "This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg\
                1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";
    let verifier = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
    let read: SignedNote = note.parse().unwrap();
    assert_eq!(read.to_string(), note);
    assert_eq!(read.text, "This is an example message.\n");
    assert_eq!(hex::encode(read.signatures[0].key), "530d903a");
    let bytes = STANDARD
        .decode(verifier.splitn(3, '+').nth(2).unwrap())
        .unwrap();
    let public: PublicKey = hex::encode(&bytes[1..]).parse().unwrap();
    assert_eq!(public.verifier_key("example.com/foo"), verifier);
    assert!(public.verifies(&read.text, &hex::encode(&read.signatures[0].signature)));
    for wrong in [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— name AAAAAA==\n",
        "text\n\n- name AAAAAAAA\n",
        "text\n\n— na+me AAAAAAAA\n",
        "text\n\n— name AAAAAAAA",
        "te\u{7}xt\n\n— name AAAAAAAA\n",
    ] {
        assert_eq!(
            wrong.parse::<SignedNote>(),
            Err(NoteError::Form),
            "{wrong:?}"
        );
    }
}

#[test]
fn only_the_head_that_a_known_key_has_signed_is_accepted() {
    let head = TreeHead {
        origin: "example.com/log".to_owned(),
        size: 3,
        root: [9; 32],
    };
    let note = head.sign(&key());
    assert_eq!(
        TreeHead::verify(&note.to_string(), &keys()),
        Ok(head.clone())
    );
    // Other signatures are ignored, such as those of witnesses.
    let other = SecretKey::from_seed(&[8; 32]);
    let both = SignedNote {
        signatures: [head.sign(&other).signatures, note.signatures.clone()].concat(),
        ..note.clone()
    };
    assert_eq!(
        TreeHead::verify(&both.to_string(), &keys()),
        Ok(head.clone())
    );
    let by_other = TreeHead::verify(&head.sign(&other).to_string(), &keys());
    assert_eq!(by_other, Err(NoteError::UnknownKey(head.origin.clone())));
    let wrong = Err(NoteError::Signature(key().public().id()));
    let larger = note.to_string().replacen("\n3\n", "\n4\n", 1);
    assert_eq!(TreeHead::verify(&larger, &keys()), wrong);
    let renamed = note
        .to_string()
        .replace("example.com/log", "example.com/other");
    assert!(matches!(
        TreeHead::verify(&renamed, &keys()),
        Err(NoteError::UnknownKey(_))
    ));
    for text in ["example.com/log\n03\n", "example.com/log\n3\n\n", "\n3\n"] {
        assert_eq!(text.parse::<TreeHead>(), Err(NoteError::Head), "{text:?}");
    }
}

/// Returns a leaf for each kind, whose bytes never change.
fn leaves() -> BTreeMap<LeafKind, Leaf> {
    let signature = Signature {
        key: "0".repeat(16),
        seq: 12,
        hash: "ab".repeat(32),
        value: "cd".repeat(64),
    };
    let league = records::LeagueSignature {
        key: "0".repeat(16),
        seq: 4,
        hash: "ab".repeat(32),
        places: "ef".repeat(32),
        value: "cd".repeat(64),
    };
    [
        Leaf::of_game("one", &signature),
        Leaf::of_league("one", &league),
    ]
    .map(|leaf| (leaf.kind, leaf))
    .into()
}

#[test]
fn the_bytes_of_leaves_never_change() {
    let leaves = leaves();
    let game = leaves[&LeafKind::Game].to_string();
    let lines: Vec<&str> = game.lines().collect();
    assert_eq!(lines[..2], ["tabularium-leaf/1", "kind game"]);
    let sha256 = |text: String| {
        use sha2::{Digest, Sha256};
        hex::encode(Sha256::digest(text))
    };
    assert_eq!(
        lines[2],
        format!("subject {}", sha256("game one\n".to_owned()))
    );
    let line = format!(
        "game one {} 12 {} {}\n",
        "0".repeat(16),
        "ab".repeat(32),
        "cd".repeat(64)
    );
    assert_eq!(lines[3..], ["seq 12", &format!("hash {}", sha256(line))]);
    let league = &leaves[&LeafKind::League];
    let line = format!("league one 4 {} {}\n", "ab".repeat(32), "ef".repeat(32));
    assert_eq!((league.seq, &league.hash), (4, &sha256(line)));
    for leaf in leaves.values() {
        assert_eq!(leaf.to_string().parse().as_ref(), Ok(leaf));
        assert!((leaf.to_string() + "\n").parse::<Leaf>().is_err());
    }
    assert_eq!(node_hash(&[0; 32], &[1; 32]).len(), 32);
}

#[test]
fn the_proof_of_a_record_is_of_no_other_record() {
    let mut record = crate::support::golden::records()
        .remove("east_3_goal_12")
        .unwrap();
    record.signature = Some(record.sign(&key(), 5, &"ab".repeat(32)).unwrap());
    let leaf = Leaf::of_game(&record.id, record.signature.as_ref().unwrap());
    let mut leaves = hashes(9, 0);
    leaves[4] = leaf.tree_hash();
    let head = TreeHead {
        origin: "example.com/log".to_owned(),
        size: 9,
        root: root(&leaves),
    };
    let note = head.sign(&key()).to_string();
    let hashes = tree(&leaves).inclusion(4).unwrap();
    let proof = InclusionProof::new(&record.id, &leaf.to_string(), 4, &hashes, note);
    assert_eq!(proof.check(&record, &keys()), Ok(head.clone()));
    type Forgery = fn(&mut InclusionProof);
    let forgeries: [(Forgery, ProofError); 5] = [
        (
            |proof| proof.index = 5,
            ProofError::Root { index: 5, size: 9 },
        ),
        (
            |proof| drop(proof.hashes.pop()),
            ProofError::Root { index: 4, size: 9 },
        ),
        (
            |proof| proof.hashes[0] = "x".to_owned(),
            ProofError::Root { index: 4, size: 9 },
        ),
        (
            |proof| proof.leaf = proof.leaf.replace("seq 5", "seq 6"),
            ProofError::Leaf,
        ),
        (|proof| proof.game = "another".to_owned(), ProofError::Leaf),
    ];
    for (forge, error) in forgeries {
        let mut forged = proof.clone();
        forge(&mut forged);
        assert_eq!(forged.check(&record, &keys()), Err(error));
    }
    let forged = TreeHead { size: 10, ..head };
    let other = SecretKey::from_seed(&[8; 32]);
    let forged = InclusionProof {
        checkpoint: forged.sign(&other).to_string(),
        ..proof.clone()
    };
    assert!(matches!(
        forged.check(&record, &keys()),
        Err(ProofError::Note(_))
    ));
    let unsigned = Record {
        signature: None,
        ..record
    };
    assert_eq!(proof.check(&unsigned, &keys()), Err(ProofError::Unsigned));
}
