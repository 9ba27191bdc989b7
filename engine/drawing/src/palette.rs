//! Colours.
//! Nations have colours of the set of Okabe and Ito, which is safe for colour-blind people, and letters.

use charts::{Theme, words};
use engine::words::Resource;

/// The colours of a theme.
#[derive(Debug)]
pub struct Palette {
    /// The background.
    pub page: &'static str,
    /// The background of panels.
    pub panel: &'static str,
    /// Borders of panels.
    pub line: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Less important text.
    pub faint: &'static str,
    /// Land.
    pub land: &'static str,
    /// Sea.
    pub sea: &'static str,
    /// The coast.
    pub coast: &'static str,
    /// The sea close to the coast.
    pub shallow: &'static str,
    /// Borders that legions cross.
    pub land_border: &'static str,
    /// Borders that galleys cross.
    pub sea_border: &'static str,
    /// The line below borders that both cross.
    pub both_borders: &'static str,
    /// Names of sea regions.
    pub water: &'static str,
    /// The outline of letters that are on lines.
    pub halo: &'static str,
    /// The outline of tokens.
    pub edge: &'static str,
    /// Temples.
    pub temple: &'static str,
    /// Highlighted regions.
    pub highlight: &'static str,
}

const LIGHT: Palette = Palette {
    page: "#fbf8f1",
    panel: "#fffdf8",
    line: "#d8cdb6",
    ink: "#2b2620",
    faint: "#6b6254",
    land: "#f1e6cb",
    sea: "#cfe3ea",
    coast: "#8f7f5e",
    shallow: "#bcd7e1",
    land_border: "#9a5b2e",
    sea_border: "#2f6f95",
    both_borders: "#86bfdc",
    water: "#1f5a7d",
    halo: "#fffaf0",
    edge: "#2b2620",
    temple: "#ffffff",
    highlight: "#c2185b",
};

const DARK: Palette = Palette {
    page: "#14181c",
    panel: "#1d2329",
    line: "#3a444e",
    ink: "#ece6d9",
    faint: "#a9a294",
    land: "#3b382f",
    sea: "#182733",
    coast: "#8c8266",
    shallow: "#213747",
    land_border: "#d59a68",
    sea_border: "#6fb1d6",
    both_borders: "#2d6f98",
    water: "#9fcbe3",
    halo: "#14181c",
    edge: "#0b0e11",
    temple: "#ffffff",
    highlight: "#ff79b0",
};

impl Palette {
    /// Returns the colours of a theme.
    pub fn for_theme(theme: Theme) -> &'static Palette {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

/// The colour and letters of a nation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// Its letters: the shortest that are unique in the picture, at least two.
    pub letters: String,
    /// Its colour.
    pub fill: &'static str,
    /// The colour of its letters.
    pub ink: &'static str,
}

const BLACK: &str = "#111";
const WHITE: &str = "#fff";

/// The colours of nations and of the letters on them.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", WHITE),
    ("#e69f00", BLACK),
    ("#d55e00", BLACK),
    ("#009e73", BLACK),
    ("#cc79a7", BLACK),
    ("#f0e442", BLACK),
    ("#4b4b4b", WHITE),
    ("#56b4e9", BLACK),
];

/// The nations with a fixed colour, by its index in the list.
/// No two nations of a released board share a colour.
const FIXED: [(&str, usize); 9] = [
    ("greeks", 0),
    ("persians", 1),
    ("romans", 2),
    ("babylonians", 2),
    ("arabs", 3),
    ("carthaginians", 3),
    ("phoenicians", 4),
    ("egyptians", 5),
    ("germanic_tribes", 6),
];

/// Returns the badges of these nations, in order. Nations without a fixed colour take the free ones.
pub fn badges(nations: &[&str]) -> Vec<Badge> {
    let own = |name: &str| FIXED.iter().find(|fixed| fixed.0 == name).map(|f| f.1);
    let mut taken: Vec<Option<usize>> = Vec::new();
    for name in nations {
        let colour = own(name).filter(|colour| !taken.contains(&Some(*colour)));
        taken.push(colour);
    }
    for place in 0..taken.len() {
        if taken[place].is_none() {
            let free = (0..COLOURS.len()).find(|colour| !taken.contains(&Some(*colour)));
            taken[place] = Some(free.unwrap_or(place % COLOURS.len()));
        }
    }
    let colours = taken.into_iter().map(|colour| COLOURS[colour.unwrap_or(0)]);
    let letters = nations.iter().map(|name| letters(name, nations));
    let pairs = letters.zip(colours);
    pairs
        .map(|(letters, (fill, ink))| Badge { letters, fill, ink })
        .collect()
}

fn letters(name: &str, all: &[&str]) -> String {
    let alike = |other: &&&str| **other != name;
    let shortest = (2..name.len()).find(|length| {
        let mut others = all.iter().filter(alike);
        others.all(|other| other.get(..*length) != name.get(..*length))
    });
    let length = shortest.unwrap_or(name.len());
    words(name.get(..length).unwrap_or(name))
}

/// The colour and letter of a resource.
pub fn resource(resource: Resource) -> (&'static str, &'static str) {
    match resource {
        Resource::Marble => ("#fdfcf8", "M"),
        Resource::Iron => ("#9fb3c8", "I"),
        Resource::Gold => ("#ffd24d", "G"),
    }
}
