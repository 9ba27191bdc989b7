//! The headers of all answers: browser policies, `Vary`, `ETag` and the request's id.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, CONTENT_ENCODING,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
    ORIGIN, REFERRER_POLICY, UPGRADE, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError};
use tracing_actix_web::RequestId;

use crate::http::problem::{Code, Problem};
use crate::http::request::contract::{Contract, Template};
use crate::http::request::tags::{ENCODINGS, tag_of_encoding};

/// Headers that every answer has, for browsers.
const ALWAYS: [(HeaderName, &str); 3] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// What pages may load: only scripts, styles and data of this service.
/// Style sheets contain pictures as `data:`.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Returns the policy of a page whose form may lead to another site, such as to the address of an app.
pub fn page_policy_with_form_target(target: &str) -> String {
    PAGE_POLICY.replace(
        "form-action 'self'",
        &format!("form-action 'self' {target}"),
    )
}
/// The pages that may be in frames of other sites. They have no forms.
const EMBEDDED: [&str; 2] = ["/embed/games/{game}", "/embed/leagues/{league}/standings"];

/// What these pages may load.
const EMBEDDED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *";

/// What any other answer may load, in case a browser shows it as a page.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Lets pages of any origin call the service and read all headers.
/// Browsers do not show them the answers to requests with a cookie, because the origin is `*`, and `cookie.rs` refuses
/// their changes. So a page cannot act for a user.
const CROSS_ORIGIN: [(HeaderName, &str); 2] = [
    (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
    (ACCESS_CONTROL_EXPOSE_HEADERS, "*"),
];

/// The parts of a request that decide the headers of its answer.
struct AnswerContext {
    id: Option<RequestId>,
    from_other_origin: bool,
    /// Whether the page may be in frames of other sites.
    embedded: bool,
    /// Whether the request asks for another protocol. The service supports none.
    upgrade: bool,
    /// The request headers in `Vary`, besides encoding and origin.
    varies: Vec<&'static str>,
    if_none_match: Option<HeaderValue>,
}

/// Answers preflight requests, and sets the headers of all answers.
pub async fn headers(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let template = Template::of(&request);
    let embedded = template.path().is_some_and(|path| EMBEDDED.contains(&path));
    // The framework sends compressed bodies without chunks to clients that offer WebSocket, so they cannot be read.
    let offered = request.headers().get(UPGRADE);
    if offered.is_some_and(|offered| offered.as_bytes().eq_ignore_ascii_case(b"websocket")) {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    let operation = Contract::operation(request.request());
    let mut varies = operation.map_or(Vec::new(), |operation| operation.varies().to_vec());
    // Outside the API, the answer depends on whether the caller accepts HTML.
    if !request.path().starts_with("/v1") && !varies.contains(&"Accept") {
        varies.insert(0, "Accept");
    }
    // Pages are in the language of the caller, whom the switch of the pages gives a cookie.
    let is_page = operation.is_none() || request.path() == "/";
    let is_other = ["/v1", "/assets/"]
        .iter()
        .any(|path| request.path().starts_with(path));
    if is_page && !is_other {
        varies.extend(["Accept-Language", "Cookie"]);
    }
    let context = AnswerContext {
        id: request.extensions().get().copied(),
        from_other_origin: request.headers().contains_key(ORIGIN),
        embedded,
        upgrade: request.headers().contains_key(UPGRADE),
        varies,
        if_none_match: request.headers().get(IF_NONE_MATCH).cloned(),
    };
    let answered = if context.from_other_origin && is_preflight(request.request()) {
        let allowed = preflight(request.request());
        Ok(request.into_response(allowed))
    } else {
        next.call(request)
            .await
            .map(ServiceResponse::map_into_boxed_body)
    };
    match answered {
        Ok(mut response) => {
            if response.status() == StatusCode::NOT_ACCEPTABLE
                && !response.headers().contains_key(CONTENT_TYPE)
            {
                response = no_encoding(response);
            }
            let status = response.status();
            context.complete(response.headers_mut(), status);
            // The framework would announce an upgrade, for example to Java's HTTP client, which asks for HTTP/2.
            if context.upgrade {
                let head = response.response_mut().head_mut();
                head.set_connection_type(ConnectionType::Close);
            }
            Ok(response)
        }
        Err(error) => {
            let mut problem = Problem::from_framework(&error);
            let mut headers = HeaderMap::new();
            context.complete(&mut headers, problem.status_code());
            problem.headers.extend(headers);
            Err(problem.into())
        }
    }
}

/// Whether a browser asks if a page of another origin may send a request.
fn is_preflight(request: &HttpRequest) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Allows the request: any method and the headers that the browser names.
fn preflight(request: &HttpRequest) -> HttpResponse {
    let mut allowed = HttpResponse::NoContent();
    allowed.insert_header((
        ACCESS_CONTROL_ALLOW_METHODS,
        "GET, HEAD, POST, PUT, PATCH, DELETE",
    ));
    allowed.insert_header((ACCESS_CONTROL_MAX_AGE, "86400"));
    if let Some(names) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        allowed.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, names.clone()));
    }
    allowed.finish()
}

/// Turns the framework's refusal of encodings into a problem.
fn no_encoding(response: ServiceResponse) -> ServiceResponse {
    let detail = format!(
        "this is available uncompressed or compressed with {}; change Accept-Encoding",
        ENCODINGS.join(" or ")
    );
    let problem = Problem {
        instance: response.request().path().to_owned(),
        ..Problem::new(Code::NotAcceptable, detail)
    };
    response.into_response(problem.error_response())
}

impl AnswerContext {
    fn complete(&self, headers: &mut HeaderMap, status: StatusCode) {
        if let Some(id) = &self.id
            && let Ok(id) = HeaderValue::from_str(&id.to_string())
        {
            headers.insert(HeaderName::from_static("x-request-id"), id);
        }
        let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
        let is_page = content_type.is_some_and(|name| name.starts_with(b"text/html"));
        // An error page is not shown in frames.
        let embedded = self.embedded && (status.is_success() || status == StatusCode::NOT_MODIFIED);
        let policy = match is_page {
            true if embedded => EMBEDDED_POLICY,
            true => PAGE_POLICY,
            false => DATA_POLICY,
        };
        // A cached answer keeps its policy (RFC 9111, section 3.2).
        if status != StatusCode::NOT_MODIFIED && !headers.contains_key(CONTENT_SECURITY_POLICY) {
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        }
        let others = CROSS_ORIGIN.iter().filter(|_| self.from_other_origin);
        let always = ALWAYS
            .iter()
            .filter(|(name, _)| !embedded || name != X_FRAME_OPTIONS);
        for (name, value) in always.chain(others) {
            headers.insert(name.clone(), HeaderValue::from_static(value));
        }
        // Encoding and origin vary even the answers to requests that send neither header.
        let varies = [&self.varies, &["Accept-Encoding", "Origin"][..]].concat();
        if let Ok(varies) = HeaderValue::from_str(&varies.join(", ")) {
            headers.insert(VARY, varies);
        }
        if let Some(tag) = self.tag(headers, status) {
            headers.insert(ETAG, tag);
        }
    }

    /// The tag of this encoding of the answer, if it differs from the tag of the uncompressed form.
    fn tag(&self, headers: &HeaderMap, status: StatusCode) -> Option<HeaderValue> {
        let tag = headers.get(ETAG)?.to_str().ok()?;
        let of_encoding = |encoding| tag_of_encoding(tag, encoding);
        let own = if status == StatusCode::NOT_MODIFIED {
            // The caller's copy stays valid under the tag that the caller has.
            let held = self.if_none_match.as_ref()?.to_str().ok()?;
            let mut forms = ENCODINGS.iter().copied().map(of_encoding);
            forms.find(|form| held.contains(form.as_str()))?
        } else {
            let encoding = headers.get(CONTENT_ENCODING)?.to_str().ok()?;
            ENCODINGS
                .iter()
                .find(|one| **one == encoding)
                .copied()
                .map(of_encoding)?
        };
        HeaderValue::from_str(&own).ok()
    }
}
