//! One `serasi up` for this program: APIs only, no demo data, its own database.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const SERASI: &str = env!("CARGO_BIN_EXE_serasi");

/// Stops the launcher and deletes its data when this program's end of the pipe closes, even if the program
/// is killed. It is needed because statics are never dropped.
const KEEPER: &str = r#""$@" & launcher=$!; cat; kill $launcher; wait $launcher; rm -rf "$DATA_DIR""#;

pub struct Server {
    pub url: String,
    pub anon_key: String,
    pub service_key: String,
    pub jwt_secret: String,
    pub database: String,
    /// The storage service's files.
    pub blobs: PathBuf,
    _keeper: Child,
}

impl Server {
    pub fn start() -> Self {
        let data_dir = tempfile::Builder::new().prefix("serasi-matrix-").tempdir().unwrap().keep();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut command = Command::new("sh");
        command.args([
            "-c",
            KEEPER,
            "keeper",
            SERASI,
            "up",
            "--api-only",
            "--no-demo",
            "--port",
            &port.to_string(),
        ]);
        command.arg("--data-dir").arg(&data_dir).env("DATA_DIR", &data_dir);
        // Tests sign in dozens of times from one address.
        command.env("AUTH_RATE_LIMITS", "off");
        for settings_of_ours in ["DATABASE_URL", "JWT_SECRET", "TEST_DATABASE_URL"] {
            command.env_remove(settings_of_ours);
        }
        let log = std::fs::File::create(data_dir.join("serasi.log")).unwrap();
        let mut keeper = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut output = BufReader::new(keeper.stdout.take().unwrap()).lines();
        let ready = output.any(|line| line.unwrap().starts_with("ready"));
        let log = || std::fs::read_to_string(data_dir.join("serasi.log")).unwrap();
        assert!(ready, "`serasi up` ended before it was ready: {}", log());
        let settings = settings(&data_dir);
        Self {
            url: settings["API_URL"].clone(),
            anon_key: settings["ANON_KEY"].clone(),
            service_key: settings["SERVICE_ROLE_KEY"].clone(),
            jwt_secret: settings["JWT_SECRET"].clone(),
            database: settings["DB_URL"].clone(),
            blobs: data_dir.join("storage/blobs"),
            _keeper: keeper,
        }
    }
}

/// The output of `serasi status`.
fn settings(data_dir: &std::path::Path) -> HashMap<String, String> {
    let mut status = Command::new(SERASI);
    let output = status.args(["status", "--output", "env", "--data-dir"]).arg(data_dir).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
