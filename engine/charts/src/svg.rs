//! SVG output: numbers with few digits, and escaped text.
//!
//! Looks are attributes, not a style sheet, so a picture can be part of a page whose policy forbids inline styles.

use std::fmt::Write;

use crate::Theme;
use crate::geometry::{Area, Point};
use crate::text::{Weight, width};

/// Prints a number with at most one decimal.
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

/// Prints text escaped for content and attributes. It omits characters that XML 1.0 does not allow.
pub struct EscapedText<'a>(pub &'a str);

impl std::fmt::Display for EscapedText<'_> {
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

/// The point of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
    /// The anchor of the group.
    Inherited,
}

/// The look of a text.
#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    /// The font size.
    pub size: f64,
    /// The font weight.
    pub weight: Weight,
    /// The colour.
    pub fill: &'a str,
    /// The anchor.
    pub anchor: Anchor,
}

impl<'a> Type<'a> {
    /// Medium text, anchored at its start.
    pub fn medium(size: f64, fill: &'a str) -> Type<'a> {
        Type {
            size,
            weight: Weight::Medium,
            fill,
            anchor: Anchor::Start,
        }
    }

    /// Bold text, anchored at its start.
    pub fn bold(size: f64, fill: &'a str) -> Type<'a> {
        Type {
            weight: Weight::Bold,
            ..Type::medium(size, fill)
        }
    }

    /// Returns it with the anchor of its group.
    pub fn inherited(self) -> Type<'a> {
        self.anchored(Anchor::Inherited)
    }

    /// Returns it with another anchor.
    pub fn anchored(self, anchor: Anchor) -> Type<'a> {
        Type { anchor, ..self }
    }
}

/// A picture under construction.
#[derive(Debug, Default)]
pub struct Svg {
    /// The SVG so far.
    pub out: String,
    /// The theme, which selects the colours of paints.
    pub theme: Theme,
}

impl Svg {
    /// Returns an empty picture.
    pub fn new(theme: Theme) -> Svg {
        Svg {
            theme,
            ..Svg::default()
        }
    }

    /// Appends formatted text without escaping.
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

    /// Adds a title to a group, for tooltips and screen readers.
    pub fn title(&mut self, text: &str) {
        self.raw(format_args!("<title>{}</title>", EscapedText(text)));
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

    /// Adds a path.
    pub fn path(&mut self, commands: &str, attributes: &str) {
        self.raw(format_args!(r#"<path d="{commands}"{attributes}/>"#));
    }

    /// Places one of the defined marks.
    pub fn mark(&mut self, name: &str, at: Point, attributes: &str) {
        let (x, y) = (N(at.x), N(at.y));
        self.raw(format_args!(
            r##"<use href="#{name}" x="{x}" y="{y}"{attributes}/>"##
        ));
    }

    /// Adds text on a baseline, and returns its width.
    /// Its length is fixed, so that another font cannot make it wider.
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
        self.raw(format_args!(">{}</text>", EscapedText(text)));
        wide
    }
}
