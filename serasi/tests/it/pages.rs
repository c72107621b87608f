//! `serasi pages`, as behind the web server of compose.yaml.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};

use test_support::database::TestDatabase;
use test_support::handover::{Call, replace};
use test_support::person::TEST_SECRET;
use test_support::program::Program;

use crate::prepared;
use crate::support::{Launcher, free_port, refusal, serasi};

const PAGE: &str = "<head><!--head--><title>x</title><!--/head--><meta content=\"%ANON_KEY%\"></head><body><div id=\"root\"></div></body>";
const NOBODY: &str = "/profile/00000000-0000-4000-8000-00000000dead";
/// Part of the demo data.
const UNAPPROVED: &str = "/profile/5e7a0002-0000-4000-8000-000000000002";

fn built(folder: &Path) {
    std::fs::create_dir(folder.join(".vite")).unwrap();
    std::fs::write(folder.join(".vite/manifest.json"), "{}").unwrap();
    let shells = r#"{"/pricing": "<div class='shell'>Packages</div>"}"#;
    std::fs::write(folder.join(".vite/shells.json"), shells).unwrap();
    // Does not filter by approval, so row-level security has to.
    let requests = r#"{
        "/search": [{"url": "/rest/v1/influencers?select=username,approved,profile_image&approved=in.(true,false)", "headers": {"prefer": "count=exact"}}],
        "/profile/:id": [{"url": "/rest/v1/influencers?select=*&id=eq.%3Aid", "headers": {}}]
    }"#;
    std::fs::write(folder.join(".vite/first-requests.json"), requests).unwrap();
    std::fs::write(folder.join("index.html"), PAGE).unwrap();
}

struct Pages(Child);

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(port: u16, path: &str) -> String {
    get_as(port, path, "")
}

fn get_as(port: u16, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: a.test\r\n{headers}connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Serves the folder's pages with the settings of the server on `data_dir`.
fn pages(folder: &Path, data_dir: &Path) -> (Pages, u16, HashMap<String, String>) {
    pages_with(folder, data_dir, free_port())
}

fn pages_with(folder: &Path, data_dir: &Path, admin_port: u16) -> (Pages, u16, HashMap<String, String>) {
    let status = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir).output().unwrap();
    let output = String::from_utf8(status.stdout).unwrap();
    let settings: HashMap<String, String> = output
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let port = free_port();
    let mut child = serasi()
        .args(["pages", "--folder"])
        .arg(folder)
        .envs([("PGRST_DB_URI", settings["DB_URL"].as_str()), ("PGRST_DB_ANON_ROLE", "anon")])
        .envs([("PGRST_DB_SCHEMAS", "public"), ("PGRST_JWT_SECRET", &settings["JWT_SECRET"])])
        .envs([("SITE_URL", "https://serasi.test/"), ("PORT", &port.to_string()), ("ANON_KEY", "the-key")])
        .env("ADMIN_PORT", admin_port.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let pages = Pages(child);
    assert!(lines.any(|line| line.unwrap().starts_with("ready")));
    (pages, port, settings)
}

#[test]
fn pages_have_their_own_heads_without_the_other_services() {
    let (data_dir, folder) = (prepared::data_dir(), tempfile::tempdir().unwrap());
    built(folder.path());
    let _launcher = Launcher::start(data_dir.path(), free_port());
    let admin_port = free_port();
    let (_pages, port, _) = pages_with(folder.path(), data_dir.path(), admin_port);

    let pricing = get(port, "/pricing");
    assert!(pricing.starts_with("HTTP/1.1 200") && pricing.contains("content=\"the-key\""), "{pricing}");
    assert!(pricing.contains("rel=\"canonical\" href=\"https://serasi.test/pricing\""), "{pricing}");
    assert!(pricing.contains("content-security-policy:"), "{pricing}");
    assert!(pricing.contains("<div id=\"root\"><div class='shell'>Packages</div></div>"), "{pricing}");
    assert!(!get(port, "/pricing?from=a").contains("Packages"));
    // This needs the gateway; without it the page would return 200.
    assert!(get(port, NOBODY).starts_with("HTTP/1.1 404"));
    assert!(get(port, "/sitemap.xml").contains("https://serasi.test/sitemap/pages.xml"));
    assert!(get(port, "/rest/v1/influencers").starts_with("HTTP/1.1 404"));
    for path in ["/live", "/ready", "/metrics"] {
        assert!(get(admin_port, path).starts_with("HTTP/1.1 200"), "{path}");
    }
}

#[test]
fn embedded_rows_are_always_those_of_a_visitor() {
    let (data_dir, folder) = (prepared::data_dir(), tempfile::tempdir().unwrap());
    built(folder.path());
    let mut with_demo_data = serasi();
    with_demo_data
        .args(["up", "--api-only", "--port", &free_port().to_string(), "--data-dir"])
        .arg(data_dir.path());
    let _launcher = Launcher::of(with_demo_data);
    let (_pages, port, settings) = pages(folder.path(), data_dir.path());
    let key = &settings["SERVICE_ROLE_KEY"];
    let everything = format!("authorization: Bearer {key}\r\napikey: {key}\r\ncookie: session={key}\r\n");

    for html in [get(port, "/search"), get_as(port, "/search", &everything)] {
        assert!(html.contains("cache-control: no-cache\r\n"), "{html}");
        let json = html.split_once("id=\"first-answers\">").unwrap().1.split_once("</script>").unwrap().0;
        let answers: serde_json::Value = serde_json::from_str(json).unwrap();
        let rows = answers[0]["body"].as_array().unwrap();
        assert!(rows.len() > 24, "{json}");
        assert!(rows.iter().all(|row| row["approved"] == true && row["username"] != "nurul.reads"), "{json}");
        assert_eq!(answers[0]["range"], format!("0-{}/{}", rows.len() - 1, rows.len()));
        let picture = rows[0]["profile_image"].as_str().unwrap();
        assert!(html.contains(&format!("as=\"image\" fetchpriority=\"high\" href=\"{picture}\"")), "{html}");
    }
    let has_block = |path: &str| get_as(port, path, &everything).contains("first-answers");
    assert!(has_block("/profile/5e7a0002-0000-4000-8000-000000000001"));
    assert!(!has_block(NOBODY) && !has_block("/search?q=a") && !has_block("/pricing"));
    let (unapproved, nobody) = (get_as(port, UNAPPROVED, &everything), get(port, NOBODY));
    let body = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert!(unapproved.starts_with("HTTP/1.1 404") && body(&unapproved) == body(&nobody), "{unapproved}");
}

#[test]
fn the_error_names_a_missing_setting() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        serasi().args(["pages", "--folder"]).arg(folder.path()).env_remove("ANON_KEY").output().unwrap();
    assert!(refusal(&output).contains("ANON_KEY"));
}

#[tokio::test]
async fn no_page_fails_while_the_program_is_replaced() {
    let (database, folder) = (TestDatabase::new().await, tempfile::tempdir().unwrap());
    built(folder.path());
    let url = database.url_as("authenticator").await;
    let environment = [
        ("PGRST_DB_URI", url.as_str()),
        ("PGRST_DB_ANON_ROLE", "anon"),
        ("PGRST_DB_SCHEMAS", "public"),
        ("PGRST_JWT_SECRET", TEST_SECRET),
        ("SITE_URL", "https://serasi.test"),
        ("ANON_KEY", "the-key"),
    ];
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let program = [env!("CARGO_BIN_EXE_serasi"), "pages", "--folder", folder.path().to_str().unwrap()];
    let start = || Program::start_on(&socket, &program, &environment, tempfile::tempfile().unwrap());
    let mut first = start();
    first.answers("/ready", 200).await;

    // The page needs the gateway's data to know that this profile does not exist.
    let calls = [Call::get("/pricing"), Call::get(NOBODY).expecting(404)];
    let last = replace(&socket, first, &calls, start).await;
    last.has_valid_metrics().await;
}
