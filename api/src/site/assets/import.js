// The form of an import: a chosen file fills the text, and its ending selects the format.

const formats = { xml: "bgg", json: "bgstats", bgsplay: "bgstats" };

document.getElementById("file")?.addEventListener("change", async ({ target }) => {
  const file = target.files[0];
  if (!file) return;
  document.getElementById("content").value = await file.text();
  const ending = file.name.split(".").pop().toLowerCase();
  document.getElementById("format").value = formats[ending] ?? "csv";
});
