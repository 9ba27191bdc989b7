//! Writing SVG: numbers in few digits, text escaped.
//!
//! Looks are attributes, not a style sheet, so that a picture may stand in a page whose policy allows
//! no inline styles.

use std::fmt::Write;

use crate::Theme;
use crate::geometry::{Area, Point};
use crate::text::{Weight, width};

/// A number with at most one digit behind the point.
pub struct N(pub f64);

impl std::fmt::Display for N {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        match tenths % 10 {
            0 => write!(f, "{}", tenths / 10),
            _ => {
                let sign = if tenths < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
            }
        }
    }
}

/// Text as it may stand between tags and in attributes. What XML 1.0 does not allow at all is left out.
pub struct Escaped<'a>(pub &'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(' ')?,
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

/// Which point of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
    /// The one that the group has.
    Inherited,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    /// Size of the letters.
    pub size: f64,
    /// Weight.
    pub weight: Weight,
    /// Colour.
    pub fill: &'a str,
    /// Which point its place is.
    pub anchor: Anchor,
}

impl<'a> Type<'a> {
    /// Medium text that starts at its place.
    pub fn medium(size: f64, fill: &'a str) -> Type<'a> {
        Type {
            size,
            weight: Weight::Medium,
            fill,
            anchor: Anchor::Start,
        }
    }

    /// Bold text that starts at its place.
    pub fn bold(size: f64, fill: &'a str) -> Type<'a> {
        Type {
            weight: Weight::Bold,
            ..Type::medium(size, fill)
        }
    }

    /// With the anchor of its group.
    pub fn inherited(self) -> Type<'a> {
        self.anchored(Anchor::Inherited)
    }

    /// With another anchor.
    pub fn anchored(self, anchor: Anchor) -> Type<'a> {
        Type { anchor, ..self }
    }
}

/// A picture that is being written.
#[derive(Debug, Default)]
pub struct Svg {
    /// What there is of it.
    pub out: String,
    /// Which of their colours paints have in it.
    pub theme: Theme,
}

impl Svg {
    /// An empty one.
    pub fn of(theme: Theme) -> Svg {
        Svg {
            theme,
            ..Svg::default()
        }
    }

    /// Appends what the arguments say, as it is.
    pub fn raw(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(arguments);
    }

    /// Opens a group.
    pub fn open(&mut self, attributes: &str) {
        self.raw(format_args!("<g{attributes}>"));
    }

    /// Closes a group.
    pub fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    /// What a group is, for those who cannot see it or point at it.
    pub fn title(&mut self, text: &str) {
        self.raw(format_args!("<title>{}</title>", Escaped(text)));
    }

    /// A box with round corners.
    pub fn rect(&mut self, area: &Area, radius: f64, attributes: &str) {
        let Area {
            x,
            y,
            width,
            height,
        } = *area;
        let (x, y, width, height) = (N(x), N(y), N(width), N(height));
        self.raw(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}""#
        ));
        if radius > 0.0 {
            self.raw(format_args!(r#" rx="{}""#, N(radius)));
        }
        self.raw(format_args!("{attributes}/>"));
    }

    /// A circle.
    pub fn circle(&mut self, centre: Point, radius: f64, attributes: &str) {
        let (x, y, radius) = (N(centre.x), N(centre.y), N(radius));
        self.raw(format_args!(
            r#"<circle cx="{x}" cy="{y}" r="{radius}"{attributes}/>"#
        ));
    }

    /// A path from its commands.
    pub fn path(&mut self, commands: &str, attributes: &str) {
        self.raw(format_args!(r#"<path d="{commands}"{attributes}/>"#));
    }

    /// One of the marks of the definitions at a place.
    pub fn mark(&mut self, name: &str, at: Point, attributes: &str) {
        let (x, y) = (N(at.x), N(at.y));
        self.raw(format_args!(
            r##"<use href="#{name}" x="{x}" y="{y}"{attributes}/>"##
        ));
    }

    /// Text on a baseline. Its length is told, so that another font does not make it wider. Returns how
    /// wide it is.
    pub fn text(&mut self, at: Point, kind: Type<'_>, text: &str) -> f64 {
        let wide = width(text, kind.size, kind.weight);
        self.raw(format_args!(
            r#"<text x="{}" y="{}" font-size="{}""#,
            N(at.x),
            N(at.y),
            N(kind.size)
        ));
        if kind.weight == Weight::Bold {
            self.raw(format_args!(r#" font-weight="700""#));
        }
        if !kind.fill.is_empty() {
            self.raw(format_args!(r#" fill="{}""#, kind.fill));
        }
        match kind.anchor {
            Anchor::Start | Anchor::Inherited => {}
            Anchor::Middle => self.raw(format_args!(r#" text-anchor="middle""#)),
            Anchor::End => self.raw(format_args!(r#" text-anchor="end""#)),
        }
        if text.chars().count() > 4 {
            self.raw(format_args!(
                r#" textLength="{}" lengthAdjust="spacingAndGlyphs""#,
                N(wide)
            ));
        }
        self.raw(format_args!(">{}</text>", Escaped(text)));
        wide
    }
}
