//! A headless browser, driven by WebDriver (W3C).

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{PATIENCE, array};

/// Why a test cannot be done here: said aloud, and a failure where `CI` is set.
fn missing(what: &str) {
    let message = format!("{what}: pages are not tested in a browser; see tests/needs");
    assert!(std::env::var_os("CI").is_none(), "{message}");
    eprintln!("{message}");
}

/// A browser with one window. It ends when it is dropped.
pub struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
    /// A driver that cannot write any more ends.
    _output: BufReader<ChildStdout>,
}

impl Browser {
    /// Starts one; `None` when there is no driver on this machine.
    pub async fn start() -> Option<Browser> {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = driver else {
            missing("there is no chromedriver");
            return None;
        };
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let lines = output.by_ref().lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
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
            session: format!(
                "http://127.0.0.1:{}/session",
                port.expect("it says its port")
            ),
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

    /// What the driver answers, which can be an `error`.
    async fn ask(&self, command: &str, body: &Value) -> Value {
        let url = format!("{}{command}", self.session);
        let answer = self.client.post(url).json(body).send().await.unwrap();
        let mut answer: Value = answer.json().await.unwrap();
        answer["value"].take()
    }

    /// Makes the window so wide, and high enough.
    pub async fn resize(&self, width: u32) {
        let metrics =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics});
        self.post("/goog/cdp/execute", command).await;
    }

    /// A picture of what lies in the upper part of a page, so wide and at most so high, as PNG.
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
        let told = self.post("/goog/cdp/execute", command).await;
        let data = told["data"].as_str().unwrap();
        STANDARD.decode(data).unwrap()
    }

    /// Opens a page.
    pub async fn open(&self, url: &str) {
        self.post("/url", json!({"url": url})).await;
    }

    /// What a script returns that runs in the page.
    pub async fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": []}))
            .await
    }

    /// What a script answers by its callback, `arguments[0]`.
    pub async fn run_until(&self, script: &str) -> Value {
        self.post("/execute/async", json!({"script": script, "args": []}))
            .await
    }

    /// Clicks as people do: what is covered or out of sight cannot be clicked. What the page is just putting
    /// another in the place of is looked for again.
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

    /// Presses a key, by its code in WebDriver or as it is typed.
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
                let told = self
                    .run("return location.href + '\\n' + document.body.innerText")
                    .await;
                let parts: Vec<&str> = expression.split(" && ").collect();
                let mut held = Vec::new();
                for part in parts {
                    held.push((part, self.run(&format!("return Boolean({part})")).await));
                }
                let lines = self.post("/se/log", json!({"type": "browser"})).await;
                panic!("never true: {held:?}\n{lines}\n{}", told.as_str().unwrap());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Fails when the page has written errors since the last time, such as what its policy forbids.
    pub async fn check_console(&self) {
        let lines = self.post("/se/log", json!({"type": "browser"})).await;
        let lines = array(&lines).iter();
        let bad: Vec<&Value> = lines.filter(|line| line["level"] == "SEVERE").collect();
        assert!(bad.is_empty(), "{bad:#?}");
    }

    /// Passes over what the page has written so far, such as that a request was refused.
    pub async fn forget_console(&self) {
        self.post("/se/log", json!({"type": "browser"})).await;
    }

    /// Says to pages which colours people prefer, `light` or `dark`.
    async fn prefer(&self, colours: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": colours});
        let command =
            json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": [feature]}});
        self.post("/goog/cdp/execute", command).await;
    }

    /// Fails when axe-core finds what hinders people in the page, light or dark.
    pub async fn check_access(&self, axe: &str) {
        self.run(&format!("{axe}; return true")).await;
        let url = self.run("return location.href").await;
        // A dark page differs in nothing but its colours.
        let dark = "{runOnly: ['color-contrast']}";
        for (colours, options) in [("dark", dark), ("light", "{}")] {
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

    /// Fails when the page is wider than the window.
    pub async fn check_width(&self) {
        let script = "const root = document.documentElement; \
            return [root.scrollWidth <= root.clientWidth, location.href, root.scrollWidth, root.clientWidth]";
        let told = self.run(script).await;
        assert_eq!(told[0], true, "{told}");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser when its session is deleted, and a driver that is killed cannot.
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

/// The text of axe-core; `None` when it cannot be had.
pub fn axe() -> Option<String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/pages/axe");
    let told = Command::new(script).stderr(Stdio::inherit()).output();
    let path = told.ok().filter(|told| told.status.success());
    let path = path.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned());
    let text = path.and_then(|path| std::fs::read_to_string(path).ok());
    if text.is_none() {
        missing("there is no axe-core");
    }
    text
}
