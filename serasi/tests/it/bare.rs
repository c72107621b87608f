//! `serasi up --bare`: the backend of any app, without the marketplace.

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::prepared;
use crate::product::{client, settings};
use crate::support::{Launcher, free_port, refusal, serasi};

const TABLE: &str = "
create table public.notes (
  id bigint generated always as identity primary key,
  author uuid not null default auth.account_id(),
  body text not null
);
create policy mine on public.notes to authenticated
  using (author = (select auth.account_id())) with check (author = (select auth.account_id()));
notify pgrst, 'reload schema'";

const UPLOADS: &str = "
create policy uploads on storage.objects for insert to authenticated with check (bucket_id = 'files')";

/// The marketplace's words.
const WORDS: [&str; 5] = ["influencer", "agenc", "vendor", "gig", "enquir"];

fn assert_no_marketplace(text: &str) {
    let text = text.to_lowercase();
    assert!(WORDS.iter().all(|word| !text.contains(word)), "{text}");
}

struct Backend {
    launcher: Launcher,
    url: String,
    settings: HashMap<String, String>,
    http: Client,
}

impl Backend {
    fn start(data_dir: &Path, options: &[&str]) -> Self {
        let port = free_port();
        let mut command = serasi();
        command.args(["up", "--port", &port.to_string(), "--data-dir"]).arg(data_dir).args(options);
        command.env("AUTH_CONFIRM_EMAIL", "none");
        let launcher = Launcher::of(command);
        Self {
            launcher,
            url: format!("http://127.0.0.1:{port}"),
            settings: settings(data_dir),
            http: client(),
        }
    }

    async fn call(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Response {
        let request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(token);
        let request = request.header("apikey", &self.settings["ANON_KEY"]);
        body.iter().fold(request, |request, body| request.json(body)).send().await.unwrap()
    }

    async fn text(&self, path: &str) -> String {
        let response = self.call(Method::GET, path, &self.settings["ANON_KEY"], None).await;
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.unwrap()
    }

    /// The token of a new account.
    async fn sign_up(&self, name: &str, user_type: &str) -> String {
        let body = json!({ "email": format!("{name}@example.test"), "password": "a long password",
            "data": { "user_type": user_type } });
        let response =
            self.call(Method::POST, "/auth/v1/signup", &self.settings["ANON_KEY"], Some(body)).await;
        let answer: Value = response.json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    async fn notes(&self, token: &str) -> Value {
        self.call(Method::GET, "/rest/v1/notes?select=body", token, None).await.json().await.unwrap()
    }

    fn stop(self) {
        self.launcher.signal("-TERM");
        assert!(self.launcher.wait().success());
    }
}

#[tokio::test]
async fn an_app_of_its_own_runs_on_the_backend_alone() {
    let data_dir = tempfile::tempdir().unwrap();
    let backend = Backend::start(data_dir.path(), &["--bare"]);
    let anon = backend.settings["ANON_KEY"].clone();
    let mut developer = PgConnection::connect(&backend.settings["DEVELOPER_DB_URL"]).await.unwrap();
    developer.execute(TABLE).await.unwrap();
    let schema = "select to_regnamespace('app') is null";
    assert!(sqlx::query_scalar::<_, bool>(schema).fetch_one(&mut developer).await.unwrap());

    let (aina, budi) = (backend.sign_up("aina", "reader").await, backend.sign_up("budi", "a writer").await);
    let note = json!({ "body": "Call Budi" });
    let added =
        until_known(async || backend.call(Method::POST, "/rest/v1/notes", &aina, Some(note.clone())).await);
    assert_eq!(added.await, 201);
    let refused = backend.call(Method::POST, "/rest/v1/notes", &anon, Some(note.clone())).await;
    assert_eq!(refused.status(), 401);
    assert_eq!(backend.notes(&aina).await, json!([note]));
    assert_eq!(backend.notes(&budi).await, json!([]));

    uploads_follow_the_policies(&backend, &aina).await;
    nothing_is_of_the_marketplace(&backend).await;
    mails_have_no_word_of_it(&backend).await;
    backend.stop();

    let again = Backend::start(data_dir.path(), &[]);
    assert_eq!(again.notes(&aina).await, json!([note]));
    nothing_is_of_the_marketplace(&again).await;
}

/// The gateway loads the schema again in the background.
async fn until_known(call: impl AsyncFn() -> Response) -> StatusCode {
    for _ in 0..200 {
        let status = call().await.status();
        if status != StatusCode::NOT_FOUND {
            return status;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    StatusCode::NOT_FOUND
}

async fn uploads_follow_the_policies(backend: &Backend, user: &str) {
    let mut superuser = PgConnection::connect(&backend.settings["DB_URL"]).await.unwrap();
    superuser.execute(UPLOADS).await.unwrap();
    let key = &backend.settings["SERVICE_ROLE_KEY"];
    for id in ["files", "others"] {
        let bucket = json!({ "id": id, "name": id, "public": true });
        assert_eq!(backend.call(Method::POST, "/storage/v1/bucket", key, Some(bucket)).await.status(), 200);
    }
    let upload = async |bucket: &str| {
        let url = format!("{}/storage/v1/object/{bucket}/a/note.txt", backend.url);
        let request = backend.http.post(url).bearer_auth(user).header("content-type", "text/plain");
        request.body("hello").send().await.unwrap().status()
    };
    assert_eq!(upload("files").await, 200);
    assert_ne!(upload("others").await, 200);
    assert_eq!(backend.text("/storage/v1/object/public/files/a/note.txt").await, "hello");
}

async fn nothing_is_of_the_marketplace(backend: &Backend) {
    let index = backend.text("/").await;
    assert!(index.contains("/rest/v1/") && index.contains("serasi status --output env"), "{index}");
    assert_no_marketplace(&index);
    let api = backend.call(Method::GET, "/rest/v1/", &backend.settings["SERVICE_ROLE_KEY"], None).await;
    let api = api.text().await.unwrap();
    assert!(api.contains("/notes"), "{api}");
    assert_no_marketplace(&api);
    for path in ["/functions/v1/create-admin", "/search", "/sitemap.xml"] {
        let response = backend.call(Method::POST, path, &backend.settings["ANON_KEY"], None).await;
        assert_eq!(response.status(), 404, "{path}");
    }
}

async fn mails_have_no_word_of_it(backend: &Backend) {
    let recover = json!({ "email": "aina@example.test" });
    let response =
        backend.call(Method::POST, "/auth/v1/recover", &backend.settings["ANON_KEY"], Some(recover)).await;
    assert_eq!(response.status(), 200);
    let address = &backend.settings["MAIL_URL"];
    for _ in 0..200 {
        let mails = reqwest::get(format!("{address}?format=json")).await.unwrap().text().await.unwrap();
        if mails.contains("aina@example.test") {
            assert_no_marketplace(&reqwest::get(address).await.unwrap().text().await.unwrap());
            return assert_no_marketplace(&mails);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no mail arrives");
}

#[tokio::test]
async fn a_database_keeps_what_it_has() {
    let marketplace = prepared::data_dir();
    let bare = |folder: &Path| {
        let port = free_port().to_string();
        serasi().args(["up", "--bare", "--port", &port, "--data-dir"]).arg(folder).output().unwrap()
    };
    let message = refusal(&bare(marketplace.path()));
    assert!(message.contains("has the marketplace: start without --bare"), "{message}");

    let data_dir = tempfile::tempdir().unwrap();
    let backend = Backend::start(data_dir.path(), &["--bare", "--api-only"]);
    for command in [&["demo"][..], &["seed", "--vendors", "1"], &["create-superadmin", "--email", "a@b.test"]]
    {
        let mut command_line = serasi();
        command_line.args(command).arg("--data-dir").arg(data_dir.path());
        if command[0] == "create-superadmin" {
            command_line.arg("--password-stdin").stdin(Stdio::piped());
        }
        let mut child = command_line.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(mut stdin) = child.stdin.take() {
            std::io::Write::write_all(&mut stdin, b"a long password").unwrap();
        }
        let message = refusal(&child.wait_with_output().unwrap());
        assert!(message.contains("needs the marketplace"), "{message}");
    }
    backend.stop();
}

#[tokio::test]
async fn a_restored_backup_is_the_backend_alone() {
    let (data_dir, backups, other) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let backend = Backend::start(data_dir.path(), &["--bare"]);
    let mut developer = PgConnection::connect(&backend.settings["DEVELOPER_DB_URL"]).await.unwrap();
    developer.execute(TABLE).await.unwrap();
    let aina = backend.sign_up("aina", "reader").await;
    let note = json!({ "body": "Call Budi" });
    let added =
        until_known(async || backend.call(Method::POST, "/rest/v1/notes", &aina, Some(note.clone())).await);
    assert_eq!(added.await, 201);
    let run = |command: &str, folder: &Path, options: &[&str]| {
        let mut program = serasi();
        program.arg(command).arg("--data-dir").arg(folder).args(options);
        let output = program.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let place = backups.path().to_str().unwrap();
    run("backup", data_dir.path(), &["--to", place]);
    let secret = backend.settings["JWT_SECRET"].clone();
    backend.stop();

    run("restore", other.path(), &[place]);
    std::fs::write(other.path().join("jwt-secret"), secret).unwrap();
    let restored = Backend::start(other.path(), &["--bare"]);
    assert_eq!(restored.notes(&aina).await, json!([note]));
}
