//! Support for containers: secrets in files, a folder that can't be written, and health checks without a
//! client.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use reqwest::Method;
use serde_json::{Value, json};

use crate::prepared;
use crate::product::Product;
use crate::support::{refusal, serasi};

/// A place where not even root can create a folder.
const READ_ONLY: &str = "/proc/serasi";

fn secret(folder: &Path, name: &str, value: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("{value}\n")).unwrap();
    path.display().to_string()
}

fn create_superadmin(variables: &[(&str, &str)]) -> Output {
    let mut command = serasi();
    command.args(["create-superadmin", "--email", "ops@demo.serasi.test", "--password-stdin"]);
    command.args(["--data-dir", READ_ONLY]).envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"correct horse\n");
    child.wait_with_output().unwrap()
}

#[tokio::test]
async fn commands_read_secrets_from_files_and_need_no_data_directory() {
    let (data_dir, secrets) = (prepared::data_dir(), tempfile::tempdir().unwrap());
    let product = Product::start(data_dir.path(), &[]);
    let mut url = url::Url::parse(&product.settings["DB_URL"]).unwrap();
    let password = secret(secrets.path(), "password", url.password().unwrap());
    let jwt_secret = secret(secrets.path(), "jwt", &product.settings["JWT_SECRET"]);
    url.set_password(None).unwrap();
    let variables = [
        ("DATABASE_URL", url.as_str()),
        ("DATABASE_PASSWORD_FILE", &password),
        ("JWT_SECRET_FILE", &jwt_secret),
    ];

    let created = create_superadmin(&variables);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    let person = json!({ "email": "ops@demo.serasi.test", "password": "correct horse" });
    let sign_in = product.request(Method::POST, "/auth/v1/token?grant_type=password").json(&person);
    let session: Value = sign_in.send().await.unwrap().json().await.unwrap();
    assert!(session["access_token"].is_string(), "{session}");

    let both = create_superadmin(&[variables[0], variables[1], variables[2], ("JWT_SECRET", "other")]);
    assert!(refusal(&both).contains("JWT_SECRET_FILE: JWT_SECRET is set, too"));
}

#[test]
fn the_program_acts_as_a_service_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, missing) in
        [("auth-service", "SITE_URL"), ("storage-service", "DATABASE_URL"), ("functions", "AUTH_URL")]
    {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_serasi"), &link).unwrap();
        let output = Command::new(link).env_clear().output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error, format!("{name}: {missing}: is required but not set\n"));
    }
    let gateway = folder.path().join("rest-gateway");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_serasi"), &gateway).unwrap();
    let version = Command::new(gateway).arg("--version").output().unwrap();
    assert!(version.stdout.starts_with(b"PostgREST "));
}

#[test]
fn a_health_check_reports_what_is_wrong_in_one_line() {
    let data_dir = prepared::data_dir();
    let product = Product::start(data_dir.path(), &[]);
    let check = |url: &str| serasi().args(["healthy", url]).output().unwrap();
    let base = format!("http://127.0.0.1:{}", product.port);

    let healthy = check(&format!("{base}/health"));
    assert!(healthy.status.success() && healthy.stdout.is_empty() && healthy.stderr.is_empty());
    assert!(refusal(&check(&format!("{base}/rest/v1/none"))).contains("answered with status 404"));
    assert!(refusal(&check("http://127.0.0.1:1/")).contains("refused"));
    assert!(refusal(&check("https://127.0.0.1/")).contains("does not begin with http://"));

    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", silent.local_addr().unwrap());
    assert!(refusal(&check(&address)).contains("no answer within 2 seconds"));
}
