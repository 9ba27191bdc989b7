// Tells the style sheet, before anything is drawn, that scripts run: so the page does not change its layout later.
document.documentElement.classList.add("runs");
