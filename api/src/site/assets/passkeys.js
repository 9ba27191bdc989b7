// Signs up and in with passkeys, and adds them to an account.

import { call } from "./api.js";

const part = document.getElementById("passkey");
const supported = typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";

/** The request that waits until the reader chooses a passkey in the field of the handle. */
let waiting;

/** Asks the browser for a credential. Returns the end of the ceremony. */
async function credential(purpose, more = {}, mediation = undefined) {
  const begun = await call("POST", "/v1/passkeys/ceremonies", { body: { purpose, ...more } });
  const { publicKey } = begun.options;
  waiting?.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const found = await (purpose === "sign_in"
    ? navigator.credentials.get({
        publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey),
        mediation,
        signal,
      })
    : navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey),
        signal,
      }));
  return { ceremony: begun.ceremony, credential: found.toJSON() };
}

function showCodes(codes) {
  const section = document.getElementById("passkey-codes");
  for (const code of codes) {
    const item = document.createElement("li");
    const text = document.createElement("code");
    text.textContent = code;
    item.append(text);
    section.querySelector("ul").append(item);
  }
  for (const other of section.parentElement.children) other.hidden = !["H1", "SECTION"].includes(other.tagName);
  section.hidden = false;
  section.querySelector("h2").focus();
}

async function use(purpose, mediation) {
  if (purpose === "add") {
    const name = part.querySelector("[name=passkey-name]");
    const body = { ...(await credential(purpose)), name: name.value.trim() || name.placeholder };
    await call("POST", "/v1/me/passkeys", { body });
  } else if (purpose === "sign_up") {
    const handle = document.querySelector("main [name=handle]");
    if (!handle.reportValidity()) return;
    const end = await credential(purpose, { handle: handle.value.trim() });
    const { recovery_codes } = await call("POST", "/v1/passkeys/sessions", { body: end });
    showCodes(recovery_codes);
    return;
  } else {
    await call("POST", "/v1/passkeys/sessions", { body: await credential(purpose, {}, mediation) });
  }
  location.assign(part.dataset.next);
}

/** Says why a passkey was not used. Refusals of the browser, such as a closed dialog, have one text. */
function refuse(error) {
  const alert = part.querySelector("[role=alert]");
  alert.textContent = error.problem?.detail ?? alert.dataset.refused;
}

if (part && supported) {
  const { purpose } = part.dataset;
  const button = part.querySelector("button");
  part.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    part.querySelector("[role=alert]").textContent = "";
    await use(purpose).catch(refuse);
    button.disabled = false;
  });
  if (purpose === "sign_in" && (await PublicKeyCredential.isConditionalMediationAvailable?.())) {
    // A reader who types a handle instead ends this request without a message.
    use(purpose, "conditional").catch((error) => error.problem && refuse(error));
  }
}
