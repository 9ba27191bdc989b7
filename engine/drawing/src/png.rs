//! Pictures as PNG.

/// A drawing that cannot be converted to PNG.
/// Those of this crate always can if it was built with `png`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the drawing cannot be converted to PNG: {0}")]
pub struct PngError(String);

/// Returns a drawing of this crate as PNG, in the size that it states.
///
/// # Errors
/// If the text is not SVG, has more than 2,400 × 2,400 pixels, or the crate was built without `png`.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    rendered(svg).map_err(PngError)
}

#[cfg(not(feature = "png"))]
fn rendered(_svg: &str) -> Result<Vec<u8>, String> {
    Err("this program was built without PNG; use SVG".to_owned())
}

#[cfg(feature = "png")]
fn rendered(svg: &str) -> Result<Vec<u8>, String> {
    use std::sync::{Arc, LazyLock};

    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::fontdb::Database;
    use resvg::usvg::{Options, Tree};

    const FILES: [&[u8]; 2] = [
        include_bytes!("../data/FiraSansCondensed-Medium.ttf"),
        include_bytes!("../data/FiraSansCondensed-Bold.ttf"),
    ];

    /// The embedded fonts. Fonts of the machine are ignored, so that pictures are the same everywhere.
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        for file in FILES {
            fonts.load_font_data(file.to_vec());
        }
        fonts.set_sans_serif_family("Fira Sans Condensed");
        Arc::new(fonts)
    });

    let options = Options {
        fontdb: Arc::clone(&FONTS),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let most = crate::LARGEST;
    if size.width() > most || size.height() > most {
        return Err(format!("it has more than {most} pixels on a side"));
    }
    let pixels = Pixmap::new(size.width(), size.height());
    let mut pixels = pixels.ok_or("it has no size")?;
    // Drawings have their own units and are scaled to the pixels that they state.
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
