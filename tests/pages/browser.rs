//! A headless browser, driven by WebDriver (W3C).

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{PATIENCE, array};

/// Reports why a test cannot run here. It is a failure if `CI` is set.
fn missing(what: &str) {
    let message = format!("{what}: pages are not tested in a browser; see tests/needs");
    assert!(std::env::var_os("CI").is_none(), "{message}");
    eprintln!("{message}");
}

/// Starts a driver. Returns it with its output and its port.
fn start_driver() -> std::io::Result<(Child, BufReader<ChildStdout>, String)> {
    // Two drivers that start at the same time can choose the same port, and then one of them ends.
    for _ in 0..5 {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let lines = output.by_ref().lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        match port {
            Some(port) => return Ok((driver, output, port)),
            None => driver.wait()?,
        };
    }
    panic!("no driver says its port");
}

/// A browser with one window, which is closed when it is dropped.
pub struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
    /// The driver's output. A driver that cannot write it ends.
    _output: BufReader<ChildStdout>,
}

impl Browser {
    /// Starts a browser; `None` without a driver on this machine.
    pub async fn start() -> Option<Browser> {
        let Ok((driver, output, port)) = start_driver() else {
            missing("there is no chromedriver");
            return None;
        };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-prefers-reduced-motion",
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"}}}});
        let mut browser = Browser {
            driver,
            client: reqwest::Client::new(),
            session: format!("http://127.0.0.1:{port}/session"),
            _output: output,
        };
        let session = browser.post("", wanted).await;
        let id = session["sessionId"].as_str().unwrap();
        browser.session = format!("{}/{id}", browser.session);
        browser
            .post("/timeouts", json!({"script": 120_000, "pageLoad": 120_000}))
            .await;
        Some(browser)
    }

    async fn post(&self, command: &str, body: Value) -> Value {
        let value = self.ask(command, &body).await;
        assert!(value["error"].is_null(), "{command} {body}: {value}");
        value
    }

    /// Returns the driver's answer, which may be an `error`.
    async fn ask(&self, command: &str, body: &Value) -> Value {
        let url = format!("{}{command}", self.session);
        let answer = self.client.post(url).json(body).send().await.unwrap();
        let mut answer: Value = answer.json().await.unwrap();
        answer["value"].take()
    }

    /// Sets the width of the window.
    pub async fn resize(&self, width: u32) {
        self.resize_to(width, 900).await;
    }

    /// Sets the size of the window.
    pub async fn resize_to(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics});
        self.post("/goog/cdp/execute", command).await;
    }

    /// Takes a picture of the upper part of a page as PNG, with this width and at most this height.
    pub async fn picture(&self, width: u32, most: u32, scale: f64) -> Vec<u8> {
        let height = self
            .run("return document.documentElement.getBoundingClientRect().height")
            .await;
        let height = height.as_f64().unwrap().ceil().min(f64::from(most));
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": scale});
        let wanted = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let hide = json!({"cmd": "Emulation.setScrollbarsHidden", "params": {"hidden": true}});
        self.post("/goog/cdp/execute", hide).await;
        let command = json!({"cmd": "Page.captureScreenshot", "params": wanted});
        let screenshot = self.post("/goog/cdp/execute", command).await;
        let data = screenshot["data"].as_str().unwrap();
        STANDARD.decode(data).unwrap()
    }

    /// Opens a page.
    pub async fn open(&self, url: &str) {
        self.post("/url", json!({"url": url})).await;
    }

    /// Runs a script in the page and returns its value.
    pub async fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": []}))
            .await
    }

    /// Runs a script in the page until it calls `arguments[0]`, and returns the value of that call.
    pub async fn run_until(&self, script: &str) -> Value {
        self.post("/execute/async", json!({"script": script, "args": []}))
            .await
    }

    /// Clicks as people do: a covered or hidden element cannot be clicked. An element that the page is replacing is
    /// looked up again.
    pub async fn click(&self, selector: &str) {
        let wanted = json!({"using": "css selector", "value": selector});
        let began = Instant::now();
        loop {
            let mut answer = self.ask("/element", &wanted).await;
            if answer["error"].is_null() {
                let mut ids = answer.as_object().into_iter().flat_map(|ids| ids.values());
                let id = ids.next().and_then(Value::as_str).unwrap();
                let click = format!("/element/{id}/click");
                answer = self.ask(&click, &json!({})).await;
            }
            if answer["error"].is_null() {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{selector}: {answer}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Gives the browser an authenticator for passkeys, which always consents (W3C WebAuthn, section 11).
    pub async fn add_authenticator(&self) {
        let wanted = json!({"protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
            "hasUserVerification": true, "isUserVerified": true, "isUserConsenting": true});
        self.post("/webauthn/authenticator", wanted).await;
    }

    /// Removes the offers of passkeys in fields from the pages that are opened from here on.
    pub async fn without_offers_of_passkeys(&self) {
        let script = "PublicKeyCredential.isConditionalMediationAvailable = async () => false";
        let command =
            json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}});
        self.post("/goog/cdp/execute", command).await;
    }

    /// Runs the scripts of a frame of the page from here on.
    pub async fn enter_frame(&self, selector: &str) {
        let wanted = json!({"using": "css selector", "value": selector});
        let frame = self.post("/element", wanted).await;
        self.post("/frame", json!({ "id": frame })).await;
    }

    /// Cuts the page off from the network, or connects it again.
    pub async fn set_offline(&self, offline: bool) {
        let conditions = json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        let enable = json!({"cmd": "Network.enable", "params": {}});
        self.post("/goog/cdp/execute", enable).await;
        let command = json!({"cmd": "Network.emulateNetworkConditions", "params": conditions});
        self.post("/goog/cdp/execute", command).await;
    }

    /// Presses a key, given by its WebDriver code or its character.
    pub async fn press(&self, key: &str) {
        let actions = json!({"actions": [{"type": "key", "id": "keyboard", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]});
        self.post("/actions", actions).await;
    }

    /// Waits until an expression of JavaScript is true.
    pub async fn wait_for(&self, expression: &str) {
        let began = Instant::now();
        while self.run(&format!("return Boolean({expression})")).await != true {
            if began.elapsed() > PATIENCE {
                let text = self
                    .run("return location.href + '\\n' + document.body.innerText")
                    .await;
                let parts: Vec<&str> = expression.split(" && ").collect();
                let mut held = Vec::new();
                for part in parts {
                    held.push((part, self.run(&format!("return Boolean({part})")).await));
                }
                let lines = self.post("/se/log", json!({"type": "browser"})).await;
                panic!("never true: {held:?}\n{lines}\n{}", text.as_str().unwrap());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until the page has an element that a CSS selector finds.
    pub async fn wait_for_element(&self, selector: &str) {
        self.wait_for(&format!("document.querySelector({})", json!(selector)))
            .await;
    }

    /// Waits until the element with this id is visible.
    pub async fn wait_for_visible(&self, id: &str) {
        self.wait_for(&format!("!document.getElementById('{id}').hidden"))
            .await;
    }

    /// Fails if the page has written errors since the last check, such as violations of its policy.
    pub async fn check_console(&self) {
        let lines = self.post("/se/log", json!({"type": "browser"})).await;
        let lines = array(&lines).iter();
        let bad: Vec<&Value> = lines.filter(|line| line["level"] == "SEVERE").collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }

    /// Ignores what the page has written so far, such as a refused request.
    pub async fn forget_console(&self) {
        self.post("/se/log", json!({"type": "browser"})).await;
    }

    /// Sets the preferred colours, `light` or `dark`.
    async fn prefer(&self, colours: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": colours});
        let command =
            json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": [feature]}});
        self.post("/goog/cdp/execute", command).await;
    }

    /// Fails if axe-core finds an accessibility problem in the page, light or dark.
    /// A narrow page has the colours of the wide one, so they are checked in the wide one only.
    pub async fn check_access(&self, axe: &str) {
        // The first check of a browser gives the script to each page that it opens from now on.
        if self.run("return typeof axe").await == "undefined" {
            let command =
                json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": axe}});
            self.post("/goog/cdp/execute", command).await;
            self.run(&format!("{axe}; window.axe = axe; return true"))
                .await;
        }
        let url = self.run("return location.href").await;
        let is_wide = self.run("return innerWidth >= 600").await == true;
        // A dark page differs in its colours only.
        let checks: &[(&str, &str)] = match is_wide {
            true => &[("dark", "{runOnly: ['color-contrast']}"), ("light", "{}")],
            false => &[("light", "{rules: {'color-contrast': {enabled: false}}}")],
        };
        for (colours, options) in checks {
            self.prefer(colours).await;
            let script = format!(
                "const done = arguments[0]; axe.run(document, {options}).then((found) => \
                done(found.violations.map((one) => [one.id, one.help, \
                one.nodes.slice(0, 3).map((node) => [node.html, node.failureSummary])])), \
                (error) => done(String(error)))"
            );
            let found = self.run_until(&script).await;
            assert_eq!(found, json!([]), "{url}, {colours}: {found:#}");
        }
    }

    /// Fails if the page is wider than the window.
    pub async fn check_width(&self) {
        let script = "const root = document.documentElement; \
            return [root.scrollWidth <= root.clientWidth, location.href, root.scrollWidth, root.clientWidth]";
        let fits = self.run(script).await;
        assert_eq!(fits[0], true, "{fits}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser when its session is deleted. A killed driver cannot.
        let session = self.session.clone();
        let end = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let _ = runtime
                .map(|runtime| runtime.block_on(reqwest::Client::new().delete(session).send()));
        };
        let _ = std::thread::spawn(end).join();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Returns the text of axe-core; `None` if it is not available.
pub fn axe() -> Option<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/pages/axe");
    let output = Command::new(script).stderr(Stdio::inherit()).output();
    let path = output.ok().filter(|output| output.status.success());
    let path = path.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let text = path.and_then(|path| std::fs::read_to_string(path).ok());
    if text.is_none() {
        missing("there is no axe-core");
    }
    text
}
