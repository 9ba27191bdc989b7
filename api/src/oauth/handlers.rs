//! Handlers of apps, and the endpoints of OAuth.

use actix_web::http::header::{AUTHORIZATION, CACHE_CONTROL, LOCATION, WWW_AUTHENTICATE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use serde::Serialize;
use uuid::Uuid;

use crate::accounts::scope_check::OWNERS_SCOPES;
use crate::http::answers::{AddingApp, Authorizing, Deleting, ReadingMine, Rendering};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, content, private};
use crate::http::request::base;
use crate::http::request::body::{JsonRequest, essence};
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::path::number;
use crate::oauth::model::{
    AppBody, AppList, ConnectedAppList, DeviceAnswer, DeviceForm, NewApp, OAuthError,
    OAuthErrorCode, RevocationForm, ServerMetadata, TokenAnswer, TokenForm,
};
use crate::oauth::parameters::Parameters;
use crate::oauth::service::{OAuth, Outcome};

/// The paths at which apps identify themselves by the parameter `client_id`.
pub const ENDPOINTS_OF_APPS: [&str; 3] = ["/oauth/token", "/oauth/revoke", "/oauth/device"];

/// Register an app
///
/// An app asks people for tokens of their accounts, by [OAuth](/docs/apps-and-oauth). It has no secret. The answer
/// contains its `client_id` as `id`. Needs the scope `account`. 409 if the account has 20 apps already.
#[utoipa::path(tag = "apps", security(("token" = ["account"])),
    request_body = NewApp,
    responses(
        (status = 201, description = "The app", body = AppBody, headers(
            ("Location" = String, description = "The path of the app"))),
        AddingApp,
    ))]
#[post("/v1/apps")]
pub async fn create_app(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<NewApp>,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let app = blocking(&oauth, move |oauth| oauth.create_app(&call, &body)).await?;
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, format!("/v1/apps/{}", app.id)))
        .json(app))
}

/// List the apps of the caller's account
///
/// Lists the apps that the account has registered. Needs the scope `read`.
#[utoipa::path(tag = "apps", security(("token" = ["read"])),
    responses((status = 200, description = "The apps", body = AppList), ReadingMine))]
#[get("/v1/apps")]
pub async fn list_apps(
    Caller(call): Caller,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&oauth, move |oauth| oauth.apps(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Delete an app
///
/// All tokens that people have allowed it end, on all nodes within 2 seconds. Needs the scope `account`.
#[utoipa::path(tag = "apps", security(("token" = ["account"])),
    params(("app" = String, Path, format = Uuid, description = "The id of the app, which is its `client_id`")),
    responses((status = 204, description = "The app is deleted"), Deleting))]
#[delete("/v1/apps/{app}")]
pub async fn delete_app(
    path: web::Path<String>,
    Caller(call): Caller,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("app", &path)?;
    blocking(&oauth, move |oauth| oauth.delete_app(&call, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// List the apps that may use the caller's account
///
/// An app is listed once for each time that the account has allowed it something, such as on several devices. Needs the
/// scope `read`.
#[utoipa::path(tag = "apps", security(("token" = ["read"])),
    responses((status = 200, description = "The connected apps", body = ConnectedAppList), ReadingMine))]
#[get("/v1/me/apps")]
pub async fn list_connected_apps(
    Caller(call): Caller,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&oauth, move |oauth| oauth.connected_apps(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Disconnect an app from the caller's account
///
/// All tokens of this connection end, on all nodes within 2 seconds. An app may disconnect itself with any scope. To
/// disconnect another one, the scope `account` is needed.
#[utoipa::path(tag = "apps", security(("token" = [])),
    params(("connection" = String, Path, format = Uuid,
        description = "The id of the connection, from the list of connected apps")),
    responses((status = 204, description = "The app is disconnected"), Deleting))]
#[delete("/v1/me/apps/{connection}")]
pub async fn disconnect_app(
    path: web::Path<String>,
    Caller(call): Caller,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("connection", &path)?;
    blocking(&oauth, move |oauth| oauth.disconnect(&call, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Reads a form of an app, in which unknown parameters are ignored.
///
/// # Errors
/// `invalid_client` if the app sends `Authorization`, because public clients have nothing to authenticate with.
/// `invalid_request` if the body is no form.
fn form(request: &HttpRequest, body: &Bytes) -> Result<Parameters, OAuthError> {
    const FORM: &str = "application/x-www-form-urlencoded";
    if request.headers().contains_key(AUTHORIZATION) {
        let description =
            "apps have no secret here: send client_id in the form, and no Authorization header";
        return Err(OAuthError::new(OAuthErrorCode::InvalidClient, description));
    }
    match essence(request.headers()).as_deref() {
        Some(FORM) => Ok(Parameters::read(body)),
        _ => {
            let description = format!("the Content-Type must be {FORM}");
            Err(OAuthError::new(OAuthErrorCode::InvalidRequest, description))
        }
    }
}

/// Runs a request of an app. No cache stores the answer.
///
/// An app that sent `Authorization` and is refused receives 401 (RFC 6749, section 5.2).
async fn answered<T: Serialize + Send + 'static>(
    (request, body): (&HttpRequest, &Bytes),
    oauth: &web::Data<OAuth>,
    work: impl FnOnce(&OAuth, &Parameters) -> Outcome<T> + Send + 'static,
) -> Result<HttpResponse, Problem> {
    let outcome = match form(request, body) {
        Ok(parameters) => blocking(oauth, move |oauth| work(oauth, &parameters)).await?,
        Err(error) => Err(error),
    };
    let mut response = match (&outcome, request.headers().contains_key(AUTHORIZATION)) {
        (Ok(_), _) => HttpResponse::Ok(),
        (Err(_), false) => HttpResponse::BadRequest(),
        (Err(_), true) => {
            let mut response = HttpResponse::Unauthorized();
            response.insert_header((WWW_AUTHENTICATE, r#"Basic realm="OAuth""#));
            response
        }
    };
    response.insert_header((CACHE_CONTROL, "no-store"));
    Ok(match outcome {
        Ok(answer) => response.json(answer),
        Err(error) => response.json(error),
    })
}

/// Get tokens of an app
///
/// The token endpoint of OAuth (RFC 6749): exchanges a code with its verifier of PKCE, a refresh token, or the code of a
/// device. Each can be used once; a second use of a code or refresh token ends the whole connection. An access token is
/// valid for an hour, and a refresh token for 60 days. Unknown parameters are ignored.
#[utoipa::path(tag = "apps", security(()),
    request_body(content = TokenForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The tokens", body = TokenAnswer),
        (status = 400, description = "An error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_grant", "error_description": "it has expired: start again"})),
        (status = 401, description = "The app sent `Authorization`: an error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_client",
                "error_description": "apps have no secret here: send client_id in the form, and no Authorization header"})),
        Authorizing,
    ))]
#[post("/oauth/token")]
pub async fn create_app_tokens(
    request: HttpRequest,
    body: Bytes,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    answered((&request, &body), &oauth, OAuth::exchange).await
}

/// Revoke a token of an app
///
/// The revocation endpoint of OAuth (RFC 7009). A refresh token ends the whole connection; an access token ends alone,
/// with the tokens that it has created. The answer is the same for an unknown token.
#[utoipa::path(tag = "apps", security(()),
    request_body(content = RevocationForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The token is not valid", body = Value),
        (status = 400, description = "An error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_client",
                "error_description": "no app has this client_id, or its owner is suspended"})),
        (status = 401, description = "The app sent `Authorization`: an error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_client",
                "error_description": "apps have no secret here: send client_id in the form, and no Authorization header"})),
        Authorizing,
    ))]
#[post("/oauth/revoke")]
pub async fn revoke_app_token(
    request: HttpRequest,
    body: Bytes,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    let work = |oauth: &OAuth, parameters: &Parameters| {
        let revoked = oauth.revoke(parameters)?;
        Ok(revoked.map(|()| serde_json::json!({})))
    };
    answered((&request, &body), &oauth, work).await
}

/// Start the sign-in of a device
///
/// The device authorization endpoint of OAuth (RFC 8628), for bots, consoles and programs without a browser. The program
/// shows `user_code` and `verification_uri`. Then it asks `/oauth/token` for its tokens, once in `interval` seconds.
#[utoipa::path(tag = "apps", security(()),
    request_body(content = DeviceForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "The codes", body = DeviceAnswer),
        (status = 400, description = "An error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_scope",
                "error_description": "an unknown scope is requested; the scopes of apps are read, play, organize, account"})),
        (status = 401, description = "The app sent `Authorization`: an error of OAuth", body = OAuthError,
            example = json!({"error": "invalid_client",
                "error_description": "apps have no secret here: send client_id in the form, and no Authorization header"})),
        Authorizing,
    ))]
#[post("/oauth/device")]
pub async fn create_device_codes(
    request: HttpRequest,
    body: Bytes,
    oauth: web::Data<OAuth>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let issuer = base(&request);
    let work =
        move |oauth: &OAuth, parameters: &Parameters| oauth.start_device(parameters, &issuer);
    answered((&request, &body), &oauth, work).await
}

/// Describe the sign-in for apps
///
/// The metadata of OAuth (RFC 8414): the addresses of all endpoints, and what they support.
#[utoipa::path(tag = "apps", responses(
    (status = 200, description = "The metadata", body = ServerMetadata),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Rendering,
))]
#[get("/.well-known/oauth-authorization-server")]
pub async fn get_server_metadata(request: HttpRequest) -> Result<HttpResponse, Problem> {
    content(
        &request,
        &ServerMetadata::new(&base(&request), &OWNERS_SCOPES),
    )
}
