//! `serasi create-superadmin`: creates the first account that may create admins. There is no default
//! account.

use std::io::{IsTerminal, Read};

use anyhow::{Context, ensure};
use axum::body::Body;
use axum::http::{Request, header};
use clap::Args;
use platform::env::Env;
use platform::progress::Progress;
use platform::random;
use platform::secret::Secret;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::database::Database;
use crate::database::temporary_login::TemporaryLogin;
use crate::keys::Keys;
use crate::{DataDir, services};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// E-mail address of the account
    #[arg(long)]
    email: String,
    /// Read the password from standard input instead of asking for it
    #[arg(long)]
    password_stdin: bool,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let password = password(options)?;
    ensure!(password.expose().chars().count() >= 6, "the password needs at least 6 characters");
    let (database, _data_dir) = Database::open(&options.data_dir.data_dir, env, &progress).await?;
    // Its tokens are valid in this process only.
    let keys = Keys::of_secret(Secret::new(random::token(48)))?;
    database.migrate_marketplace("serasi create-superadmin", &progress).await?;

    let login = TemporaryLogin::create(&database, Some("auth_admin")).await?;
    let created = create(env, &login.url, &keys, &options.email, &password).await;
    login.end().await?;
    created?;
    println!("{} is a superadmin and can sign in at /admin/login.", options.email);
    Ok(())
}

/// The auth service creates the account like any other; the database assigns the role.
async fn create(
    env: &Env,
    login: &Secret,
    keys: &Keys,
    email: &str,
    password: &Secret,
) -> anyhow::Result<()> {
    let auth = services::auth(env, login, keys).await?;
    let body = json!({
        "email": email, "password": password.expose(), "email_confirm": true,
        "app_metadata": { "marketplace_role": "superadmin" },
    });
    let request = Request::post("/admin/users")
        .header(header::AUTHORIZATION, format!("Bearer {}", keys.service_role))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))?;
    let Ok(response) = auth.oneshot(request).await;
    let status = response.status();
    let answer = axum::body::to_bytes(response.into_body(), 64 * 1024).await?;
    let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
    let refusal = answer["msg"]
        .as_str()
        .or(answer["message"].as_str())
        .unwrap_or("the auth service rejected the account");
    ensure!(status.is_success(), "{refusal}");
    Ok(())
}

fn password(options: &Options) -> anyhow::Result<Secret> {
    if options.password_stdin {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(Secret::new(text.trim_end_matches(['\r', '\n'])));
    }
    ensure!(std::io::stdin().is_terminal(), "no terminal to read the password from: use --password-stdin");
    let first = rpassword::prompt_password("Password: ").context("the password can't be read")?;
    let second = rpassword::prompt_password("Repeat password: ").context("the password can't be read")?;
    ensure!(first == second, "the passwords do not match");
    Ok(Secret::new(first))
}
