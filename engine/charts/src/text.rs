//! Names for people, and widths of text without reading a font.

/// A weight of the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// For most text.
    Medium,
    /// For names of nations, and numbers.
    Bold,
}

/// Advance widths of the characters from space to tilde, in thousandths of the size.
/// They are those of `engine/drawing/data/FiraSansCondensed-Medium.ttf`.
#[rustfmt::skip]
const MEDIUM: [u16; 95] = [
    221, 229, 406, 491, 490, 772, 678, 215, 296, 296, 413, 470, 223, 371, 226, 468, 533, 409, 455,
    463, 500, 476, 510, 415, 515, 501, 226, 226, 462, 462, 462, 434, 924, 535, 554, 517, 589, 476,
    441, 582, 606, 268, 283, 561, 456, 717, 605, 628, 534, 628, 555, 507, 480, 590, 518, 762, 512,
    523, 481, 292, 468, 292, 499, 471, 301, 495, 539, 433, 542, 501, 318, 486, 525, 257, 257, 489,
    270, 767, 525, 532, 539, 542, 359, 433, 342, 521, 461, 673, 457, 465, 408, 292, 345, 292, 459,
];

/// Advance widths in `engine/drawing/data/FiraSansCondensed-Bold.ttf`.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    208, 230, 425, 508, 498, 788, 692, 224, 300, 300, 417, 483, 226, 375, 229, 468, 546, 423, 463,
    473, 514, 491, 523, 426, 528, 517, 229, 229, 470, 470, 470, 443, 924, 543, 559, 524, 595, 474,
    441, 590, 602, 269, 290, 581, 465, 720, 599, 630, 544, 630, 562, 519, 490, 587, 525, 772, 530,
    542, 492, 295, 468, 295, 510, 471, 319, 497, 543, 436, 545, 507, 329, 497, 524, 259, 259, 509,
    273, 763, 524, 534, 543, 545, 366, 438, 352, 519, 470, 687, 469, 476, 418, 293, 333, 293, 474,
];

/// The width of a text in this size. Characters beyond ASCII count as wide ones.
pub fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let table = match weight {
        Weight::Medium => &MEDIUM,
        Weight::Bold => &BOLD,
    };
    let advance = |letter: char| match letter {
        '·' => 227,
        '\u{a0}' => 225,
        ' '..='~' => table[letter as usize - ' ' as usize],
        'À'..='ɏ' => 540,
        _ => 800,
    };
    let sum: u32 = text.chars().map(|letter| u32::from(advance(letter))).sum();
    f64::from(sum) * size / 1000.0
}

/// Breaks a text at spaces into lines of at most this width.
pub fn lines(text: &str, size: f64, weight: Weight, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, weight) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Cuts a text to the width `most`, with an ellipsis if needed.
pub fn fitting(text: &str, size: f64, weight: Weight, most: f64) -> String {
    // Multiplying a width and dividing it again changes it slightly.
    let most = most + 1e-6;
    if width(text, size, weight) <= most {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while kept.pop().is_some() {
        let cut = format!("{}…", kept.trim_end());
        if width(&cut, size, weight) <= most {
            return cut;
        }
    }
    String::new()
}

/// Formats a name of the wire for people: `res_publica` becomes `Res publica`.
pub fn words(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut letters = spaced.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => spaced,
    }
}

/// Formats the name of an edition for people: `antike_ii` becomes `Antike II`.
pub fn titled(name: &str) -> String {
    let word = |word: &str| match word.chars().all(|letter| "ivx".contains(letter)) {
        true => word.to_uppercase(),
        false => words(word),
    };
    name.split('_').map(word).collect::<Vec<_>>().join(" ")
}
