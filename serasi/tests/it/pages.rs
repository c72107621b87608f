//! The pages alone, as behind the web server of compose.yaml.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::{Launcher, free_port, refusal, serasi};

const PAGE: &str = "<head><!--head--><title>x</title><!--/head--><meta content=\"%ANON_KEY%\"></head><div id=\"root\"></div>";
const NOBODY: &str = "/profile/00000000-0000-4000-8000-00000000dead";

fn built(folder: &Path) {
    std::fs::create_dir(folder.join(".vite")).unwrap();
    std::fs::write(folder.join(".vite/manifest.json"), "{}").unwrap();
    let shells = r#"{"/pricing": "<div class='shell'>Packages</div>"}"#;
    std::fs::write(folder.join(".vite/shells.json"), shells).unwrap();
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
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn pages_bring_their_own_heads_without_the_other_services() {
    let (data_dir, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    built(folder.path());
    let _launcher = Launcher::start(data_dir.path(), free_port());
    let mut status = serasi();
    let said =
        status.args(["status", "--output", "env", "--data-dir"]).arg(data_dir.path()).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let database = said.lines().find_map(|line| line.strip_prefix("DB_URL=")).unwrap();
    let port = free_port();

    let mut child = serasi()
        .args(["pages", "--folder"])
        .arg(folder.path())
        .envs([("PGRST_DB_URI", database), ("PGRST_DB_ANON_ROLE", "anon"), ("PGRST_DB_SCHEMAS", "public")])
        .envs([("PGRST_JWT_SECRET", "a secret of thirty-two bytes or so"), ("ANON_KEY", "the-key")])
        .envs([("SITE_URL", "https://serasi.test/"), ("PORT", &port.to_string())])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let _pages = Pages(child);
    assert!(lines.any(|line| line.unwrap().starts_with("ready")));

    let pricing = get(port, "/pricing");
    assert!(pricing.starts_with("HTTP/1.1 200") && pricing.contains("content=\"the-key\""), "{pricing}");
    assert!(pricing.contains("rel=\"canonical\" href=\"https://serasi.test/pricing\""), "{pricing}");
    assert!(pricing.contains("content-security-policy:"), "{pricing}");
    assert!(pricing.contains("<div id=\"root\"><div class='shell'>Packages</div></div>"), "{pricing}");
    assert!(!get(port, "/pricing?from=a").contains("Packages"));
    // The gateway was asked: without it the page would be sent as if somebody were there.
    assert!(get(port, NOBODY).starts_with("HTTP/1.1 404"));
    assert!(get(port, "/sitemap.xml").contains("https://serasi.test/sitemap/pages.xml"));
    assert!(get(port, "/rest/v1/influencers").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_missing_setting_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        serasi().args(["pages", "--folder"]).arg(folder.path()).env_remove("ANON_KEY").output().unwrap();
    assert!(refusal(&output).contains("ANON_KEY"));
}
