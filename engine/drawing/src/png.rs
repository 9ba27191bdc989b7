//! Pictures in pixels.

/// A drawing that cannot be shown in pixels. Where this crate has been built with `png`, its own always
/// can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the drawing cannot be shown in pixels: {0}")]
pub struct PngError(String);

/// A drawing of this crate as PNG, as large as it says itself.
///
/// # Errors
/// When the text is not SVG, has more than 2,400 × 2,400 pixels, or the crate was built without `png`.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    rendered(svg).map_err(PngError)
}

#[cfg(not(feature = "png"))]
fn rendered(_svg: &str) -> Result<Vec<u8>, String> {
    Err("this program was built without PNG".to_owned())
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

    /// The embedded fonts: none of the machine's own are looked for, so that pictures are the same
    /// everywhere.
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
    // Drawings are made in their own units and shown in as many pixels as they ask for.
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
