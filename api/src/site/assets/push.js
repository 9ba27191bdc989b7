// Lets this browser show notices, if it can.

import { call } from "./api.js";

const part = document.getElementById("push");
const worker = "/push-worker.js";

/** The bytes of a text in base64url. */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Whether a subscription was made with the present key of the server. */
function isCurrent(subscription, key) {
  const own = new Uint8Array(subscription.options.applicationServerKey ?? []);
  return own.length === key.length && own.every((byte, index) => byte === key[index]);
}

/** Subscribes this browser and tells the server. */
async function subscribe() {
  const registration = await navigator.serviceWorker.register(worker);
  await navigator.serviceWorker.ready;
  const key = bytes(part.dataset.key);
  const old = await registration.pushManager.getSubscription();
  if (old && !isCurrent(old, key)) await old.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await registration.pushManager.subscribe(options);
  const body = { ...subscription.toJSON(), language: part.dataset.language };
  await call("POST", "/v1/me/push-subscriptions", { body });
}

if (part?.dataset.key && "serviceWorker" in navigator && "PushManager" in window) {
  part.hidden = false;
  const button = part.querySelector("button");
  const status = part.querySelector("[role=status]");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        status.textContent = status.dataset.refused;
      } else {
        await subscribe();
        status.textContent = status.dataset.done;
      }
    } catch (error) {
      status.textContent = error.message;
    }
    button.disabled = false;
  });
}
