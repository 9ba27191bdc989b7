// Shows push messages, and opens the page of a message that is clicked.

self.addEventListener("push", (event) => {
  const message = event.data.json();
  const { title, body, url, tag } = message;
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, icon: "/icon-192.png", data: { url } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin).href;
  const open = async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const same = windows.find((one) => one.url.split("#")[0] === url);
    await (same ? same.focus() : self.clients.openWindow(url));
  };
  event.waitUntil(open());
});
