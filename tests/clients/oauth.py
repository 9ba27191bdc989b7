"""Connects an app to an account with a standard client for OAuth: by a code with PKCE, and by a device.

    oauth.py SERVER
"""

import os
import sys
from html.parser import HTMLParser
from urllib.parse import parse_qs, urlsplit

import requests

# The server is on this machine, without TLS. To be set before the import.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.common.security import generate_token  # noqa: E402
from authlib.integrations.base_client import OAuthError  # noqa: E402
from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url  # noqa: E402

SERVER = sys.argv[1].rstrip("/")
CALLBACK = "https://watcher.example.org/callback"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin", "Accept": "text/html"}


class Fields(HTMLParser):
    """The hidden fields of the form that asks for a decision."""

    def __init__(self, page):
        super().__init__()
        self.values = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "input" and attributes.get("type") == "hidden" and attributes["name"] != "back":
            self.values[attributes["name"]] = attributes["value"]


def decide(browser, address, path):
    """Opens a page and allows what it asks."""
    page = browser.get(address, headers=OWN_PAGE)
    assert page.ok and "Turn Watcher" in page.text, page.text
    form = {**Fields(page.text).values, "decision": "allow"}
    return browser.post(SERVER + path, data=form, headers=OWN_PAGE, allow_redirects=False)


def refuses(call):
    try:
        call()
    except OAuthError as error:
        return error.error
    raise AssertionError("it was accepted")


maker = requests.post(f"{SERVER}/v1/players", json={"handle": "maker-of-apps"}).json()["token"]
app = requests.post(
    f"{SERVER}/v1/apps",
    json={"name": "Turn Watcher", "redirect_uris": [CALLBACK]},
    headers={"Authorization": f"Bearer {maker}"},
).json()
browser = requests.Session()
person = {"handle": "user-of-apps", "password": "elephants over the Alps"}
assert browser.post(f"{SERVER}/sign-up", data=person, headers=OWN_PAGE).ok

metadata = AuthorizationServerMetadata(requests.get(get_well_known_url(SERVER, external=True)).json())
if SERVER.startswith("https:"):
    metadata.validate()

client = OAuth2Session(
    app["id"],
    scope="read play",
    redirect_uri=CALLBACK,
    token_endpoint=metadata["token_endpoint"],
    token_endpoint_auth_method="none",
    revocation_endpoint_auth_method="none",
    code_challenge_method="S256",
)
verifier = generate_token(48)
address, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
answer = decide(browser, address, "/oauth/authorize").headers["Location"]
assert parse_qs(urlsplit(answer).query)["iss"] == [metadata["issuer"]], answer
first = client.fetch_token(authorization_response=answer, state=state, code_verifier=verifier)
assert first["token_type"] == "Bearer" and first["scope"] == "read play", first
me = client.get(f"{SERVER}/v1/me").json()
assert me["player"]["handle"] == "user-of-apps" and me["app"]["id"] == app["id"], me

# An expired token is renewed by the library itself.
client.token["expires_at"] = 1
assert client.get(f"{SERVER}/v1/me").ok
assert client.token["access_token"] != first["access_token"], client.token
renewed = client.token["refresh_token"]
assert refuses(lambda: client.refresh_token(refresh_token=first["refresh_token"])) == "invalid_grant"
assert refuses(lambda: client.refresh_token(refresh_token=renewed)) == "invalid_grant", "the connection has ended"

device = requests.post(
    metadata["device_authorization_endpoint"], data={"client_id": app["id"], "scope": "read"}
).json()


def poll():
    return client.fetch_token(
        grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=device["device_code"]
    )


assert refuses(poll) == "authorization_pending"
assert decide(browser, device["verification_uri_complete"], "/device").ok
tokens = poll()
assert tokens["scope"] == "read", tokens
assert client.get(f"{SERVER}/v1/me").ok
assert client.revoke_token(metadata["revocation_endpoint"], token=tokens["refresh_token"]).ok
assert client.get(f"{SERVER}/v1/me").status_code == 401
