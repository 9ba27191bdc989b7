//! Entity tags, `If-Match` and `If-None-Match` (RFC 9110, sections 8.8.3 and 13.1).
//!
//! A compressed answer has other bytes, so it has another strong tag: that of the uncompressed one with the encoding
//! appended, `"57-gzip"`. Callers may send back either: both identify the same version.

use actix_web::HttpRequest;
use actix_web::http::header::{IF_MATCH, IF_NONE_MATCH};

/// The supported encodings of answers.
pub const ENCODINGS: &[&str] = &["br", "zstd", "gzip", "deflate"];

/// The tag of a compressed form; `tag` is the quoted strong tag of the uncompressed one.
pub fn tag_of_encoding(tag: &str, encoding: &str) -> String {
    format!("{}-{encoding}\"", tag.trim_end_matches('"'))
}

/// The version in a tag, without quotes and encoding.
fn version(tag: &str) -> &str {
    let opaque = tag.trim().trim_matches('"');
    let plain = ENCODINGS
        .iter()
        .find_map(|encoding| opaque.strip_suffix(encoding)?.strip_suffix('-'));
    plain.unwrap_or(opaque)
}

/// The sequence numbers in `If-Match`. Other tags, and weak ones, match no version.
pub fn if_match(request: &HttpRequest) -> Option<Vec<u64>> {
    let value = request.headers().get(IF_MATCH)?;
    let text = value.to_str().unwrap_or_default();
    if text.trim() == "*" {
        return None;
    }
    // The part after a dot is not a sequence number.
    let events = text.split(',').map(|tag| version(tag).split('.').next());
    let events = events.filter_map(|event| event?.parse().ok());
    Some(events.collect())
}

/// Whether the caller has this version already, in any encoding.
pub fn has_version(request: &HttpRequest, tag: &str) -> bool {
    let Some(value) = request.headers().get(IF_NONE_MATCH) else {
        return false;
    };
    let text = value.to_str().unwrap_or_default();
    text.split(',')
        .map(str::trim)
        .any(|other| other == "*" || version(other.trim_start_matches("W/")) == version(tag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn tags_of_every_encoding_identify_the_same_version() {
        let tag = tag_of_encoding("\"57\"", "gzip");
        assert_eq!(tag, "\"57-gzip\"");
        for sent in [
            "\"57\"",
            "\"57-gzip\"",
            "W/\"57\"",
            "\"1\", \"57-deflate\"",
            "*",
        ] {
            let request = TestRequest::default().insert_header((IF_NONE_MATCH, sent));
            assert!(has_version(&request.to_http_request(), "\"57\""), "{sent}");
        }
        let request = TestRequest::default().insert_header((IF_NONE_MATCH, "\"5\", \"57-x\""));
        assert!(!has_version(&request.to_http_request(), "\"57\""));
        let request = TestRequest::default().insert_header((
            IF_MATCH,
            "\"57-gzip\", \"58\", W/\"59\", \"x\", \"60.1a-gzip\"",
        ));
        assert_eq!(if_match(&request.to_http_request()), Some(vec![57, 58, 60]));
    }
}
