//! Compares pictures with the stored ones in this folder, which a person has approved. A test with another picture
//! fails and prints its file. `make pictures` stores the changed pictures; look at each before you commit it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// If this variable is set, changed pictures are stored and do not fail.
const KEEP: &str = "TABULARIUM_KEEP_PICTURES";

/// Pictures are compared in squares with this many pixels a side, because browsers smooth edges differently.
const SQUARE: usize = 4;

/// How much the mean of a square may differ in red, green or blue, of 255.
const STEP: u32 = 16;

/// A stored picture has no more colours than a palette of PNG.
const COLOURS: usize = 256;

/// A red, a green and a blue part.
type Colour = [u8; 3];

/// Pixels, row by row.
pub struct Picture {
    width: usize,
    pixels: Vec<Colour>,
}

impl Picture {
    /// Reads a coloured PNG.
    pub fn of(bytes: &[u8]) -> Picture {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a PNG");
        let size = reader.output_buffer_size().expect("a size in memory");
        let mut buffer = vec![0; size];
        let info = reader.next_frame(&mut buffer).expect("a PNG");
        let samples = info.color_type.samples();
        assert!(samples >= 3, "a picture in colour");
        let pixels = buffer[..info.buffer_size()].chunks_exact(samples);
        Picture {
            width: info.width as usize,
            pixels: pixels.map(|all| [all[0], all[1], all[2]]).collect(),
        }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Returns the picture as a PNG with a palette of its most frequent colours.
    fn written(&self) -> Vec<u8> {
        // Colours with the same first five bits count as one.
        let key = |colour: &Colour| colour.map(|part| part >> 3);
        let mut found: BTreeMap<Colour, (u64, [u64; 3])> = BTreeMap::new();
        for colour in &self.pixels {
            let (count, sums) = found.entry(key(colour)).or_default();
            *count += 1;
            for (sum, part) in sums.iter_mut().zip(colour) {
                *sum += u64::from(*part);
            }
        }
        let mut counted: Vec<_> = found.values().collect();
        counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let mean = |(count, sums): &(u64, [u64; 3])| sums.map(|sum| (sum / count) as u8);
        let palette: Vec<Colour> = counted.into_iter().take(COLOURS).map(mean).collect();
        let apart = |one: &Colour, other: &Colour| {
            let parts = one.iter().zip(other);
            parts
                .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
                .sum::<u32>()
        };
        let nearest = |colour: Colour| {
            let places = (0..palette.len()).min_by_key(|place| apart(&palette[*place], &colour));
            places.expect("a colour") as u8
        };
        let places: BTreeMap<Colour, u8> = (found.iter())
            .map(|(key, sums)| (*key, nearest(mean(sums))))
            .collect();
        let indices: Vec<u8> = self
            .pixels
            .iter()
            .map(|colour| places[&key(colour)])
            .collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height() as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette.concat());
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&indices).expect("pixels");
        writer.finish().expect("an end");
        bytes
    }

    /// Returns the mean colour of the part of a square inside the picture; `None` if it is outside.
    fn mean(&self, column: usize, row: usize) -> Option<[u32; 3]> {
        let rows = row * SQUARE..((row + 1) * SQUARE).min(self.height());
        let columns = column * SQUARE..((column + 1) * SQUARE).min(self.width);
        let count = (rows.len() * columns.len()) as u32;
        let mut sums = [0; 3];
        for y in rows {
            for colour in &self.pixels[y * self.width..][columns.clone()] {
                for (sum, part) in sums.iter_mut().zip(colour) {
                    *sum += u32::from(*part);
                }
            }
        }
        (count > 0).then(|| sums.map(|sum| sum / count))
    }

    /// Returns the difference of two pictures in per cent. Parts that only one of them has differ.
    pub fn difference(&self, other: &Picture) -> f64 {
        let columns = self.width.max(other.width).div_ceil(SQUARE);
        let rows = self.height().max(other.height()).div_ceil(SQUARE);
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let differ = squares.filter(|(column, row)| {
            match (self.mean(*column, *row), other.mean(*column, *row)) {
                (Some(one), Some(other)) => {
                    let mut parts = one.iter().zip(other);
                    parts.any(|(one, other)| one.abs_diff(other) > STEP)
                }
                _ => true,
            }
        });
        100.0 * differ.count() as f64 / (columns * rows) as f64
    }
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.png"))
}

/// Compares a picture with the stored one, of which this percentage may differ.
///
/// # Errors
/// The difference, and the file of the new picture.
pub fn check(name: &str, bytes: &[u8], most: f64) -> Result<Picture, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = folder.map(|above| above.join("tests/pictures"));
    let folder = folders.find(|folder| folder.is_dir());
    let kept = file(&folder.expect("the folder of kept pictures"), name);
    let seen = Picture::of(bytes);
    let differ = match std::fs::read(&kept) {
        Ok(before) => seen.difference(&Picture::of(&before)),
        Err(_) => 100.0,
    };
    if differ <= most {
        return Ok(seen);
    }
    if std::env::var_os(KEEP).is_some() {
        std::fs::write(&kept, seen.written()).expect("a file to write");
        return Ok(seen);
    }
    let new = file(Path::new(env!("CARGO_TARGET_TMPDIR")), name);
    std::fs::write(&new, bytes).expect("a file to write");
    Err(format!(
        "{name}: {differ:.2}% differs from what is kept; see {}",
        new.display()
    ))
}

/// Fails if any picture has changed, after all have been compared.
pub fn all_look_as_they_did(changed: &[String]) {
    assert!(
        changed.is_empty(),
        "look at these, and if they should look so, keep them with `make pictures`:\n{}",
        changed.join("\n")
    );
}
