//! Content negotiation: selects the media type that the caller prefers (RFC 9110, section 12.5.1).

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, HeaderMap};

use crate::http::problem::{Code, Problem};

/// Returns the index in `offered` of the media type that the caller prefers.
///
/// The first media type is the default.
///
/// # Errors
/// 406 when the caller accepts none of them.
pub fn negotiate(request: &HttpRequest, offered: &[&str]) -> Result<usize, Problem> {
    prefers(request.headers(), offered).ok_or_else(|| {
        let detail = format!(
            "this resource is available as {}; change the Accept header",
            offered.join(", ")
        );
        Problem::new(Code::NotAcceptable, detail)
    })
}

/// The same as [`negotiate`], by headers. `None` when the caller accepts no offered type.
pub fn prefers(headers: &HeaderMap, offered: &[&str]) -> Option<usize> {
    let values = headers.get_all(ACCEPT);
    let accept: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    let accept = accept.join(",");
    if accept.trim().is_empty() {
        return Some(0);
    }
    let best = (0..offered.len())
        .map(|index| (quality(&accept, offered[index]), index))
        .filter(|((quality, _), _)| *quality > 0)
        // Of equally preferred types: the one that is named more exactly, then the first offered.
        .max_by_key(|(wanted, index)| (*wanted, offered.len() - index));
    best.map(|(_, index)| index)
}

/// Returns the weight of a media type, in thousandths, and how exactly the header names it.
///
/// The most specific range that matches the media type decides.
fn quality(accept: &str, media_type: &str) -> (u32, u8) {
    let (main, _) = media_type.split_once('/').unwrap_or((media_type, ""));
    let ranges = accept.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight: f64 = weight.map_or(Ok(1.0), str::parse).ok()?;
        let specific = match name.as_str() {
            "*/*" => 0,
            name if name == media_type => 2,
            name if name.strip_suffix("/*") == Some(main) => 1,
            _ => return None,
        };
        Some((specific, (weight.clamp(0.0, 1.0) * 1000.0) as u32))
    });
    ranges
        .max()
        .map_or((0, 0), |(specific, quality)| (quality, specific))
}
