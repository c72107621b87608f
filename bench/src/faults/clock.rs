//! Clock changes, for serasi alone and together with its PostgreSQL (using libfaketime).

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use futures::FutureExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::outcome::{Limits, Outcome};
use super::sampling::Answer;
use super::stage::{Stage, Wanted};
use super::system::Unavailable;
use super::{Fault, SharedProducts};

/// Requests whose session has expired by the new clock get this status.
const EXPIRED: &[Answer] = &[Answer::Status(400), Answer::Status(401), Answer::Status(403)];
/// How long libfaketime takes to notice the change.
const NOTICED: Duration = Duration::from_millis(2500);

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "clock-forward",
        about: "serasi's clock is 2 h ahead of PostgreSQL's for some seconds",
        limits: Limits::new(EXPIRED, 5, 3),
        run: |lab| jump(lab, "+2h", true).boxed_local(),
    },
    Fault {
        name: "clock-back",
        about: "serasi's clock is 2 h behind PostgreSQL's for some seconds",
        limits: Limits::new(EXPIRED, 5, 3),
        run: |lab| jump(lab, "-2h", true).boxed_local(),
    },
    Fault {
        name: "clock-forward-both",
        about: "serasi's and PostgreSQL's clocks jump 2 h ahead and return",
        limits: Limits::new(EXPIRED, 5, 3),
        run: |lab| jump(lab, "+2h", false).boxed_local(),
    },
    Fault {
        name: "clock-back-both",
        about: "serasi's and PostgreSQL's clocks jump 2 h back and return",
        limits: Limits::new(EXPIRED, 5, 3),
        run: |lab| jump(lab, "-2h", false).boxed_local(),
    },
];

async fn jump(lab: &mut SharedProducts<'_>, offset: &'static str, external: bool) -> anyhow::Result<Outcome> {
    let library = lab.options.faketime.clone().ok_or(Unavailable("needs libfaketime"))?;
    let clock = std::env::temp_dir().join(format!("serasi-faults-clock-{:08x}", rand::random::<u32>()));
    std::fs::write(&clock, "+0s\n")?;
    let outcome = on_a_clock(lab, library, clock.clone(), offset, external).await;
    let _ = std::fs::remove_file(clock);
    outcome
}

async fn on_a_clock(
    lab: &mut SharedProducts<'_>,
    library: PathBuf,
    clock: PathBuf,
    offset: &'static str,
    external: bool,
) -> anyhow::Result<Outcome> {
    // An embedded PostgreSQL inherits these variables.
    let env = [
        ("LD_PRELOAD", library.display().to_string()),
        ("FAKETIME_TIMESTAMP_FILE", clock.display().to_string()),
        ("FAKETIME_CACHE_DURATION", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ("DONT_FAKE_MONOTONIC", "1".to_owned()),
    ]
    .into();
    let mut stage = lab.fresh(Wanted { external, env, ..Wanted::default() }).await?;
    let mut seen = Vec::new();
    let mut outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                let link = link(stage).await?;
                std::fs::write(&clock, format!("{offset}\n"))?;
                tokio::time::sleep(NOTICED).await;
                seen = sessions(stage, &link).await?;
                Ok(())
            },
            async |_| {
                std::fs::write(&clock, "+0s\n")?;
                tokio::time::sleep(NOTICED).await;
                Ok(())
            },
        )
        .await?;
    for (what, status) in seen {
        outcome.check((200..300).contains(&status), format!("{what}: {status}"));
    }
    Ok(outcome)
}

/// The hash of a sign-in link that the service key generates. The address is confirmed first, because the first link
/// that proves an address voids the password.
async fn link(stage: &Stage) -> anyhow::Result<String> {
    let client = &stage.client;
    let confirmed = client
        .request(Method::PUT, &format!("/auth/v1/admin/users/{}", client.agency().user))
        .bearer_auth(&client.service_role_key)
        .json(&json!({ "email_confirm": true }))
        .send();
    confirmed.await?.error_for_status()?;
    let body = json!({ "type": "magiclink", "email": client.agency().email });
    let link = client
        .request(Method::POST, "/auth/v1/admin/generate_link")
        .bearer_auth(&client.service_role_key)
        .json(&body)
        .send()
        .await?;
    let link: Value = link.error_for_status()?.json().await?;
    link["hashed_token"].as_str().map(str::to_owned).context("a link")
}

/// Requests that must succeed with either clock, with the status of each.
async fn sessions(stage: &Stage, link: &str) -> anyhow::Result<Vec<(&'static str, u16)>> {
    let client = &stage.client;
    let post = async |path: &str, body: Value| {
        let answer = client.request(Method::POST, path).json(&body).send().await?;
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.unwrap_or_default();
        anyhow::Ok((status, body["access_token"].as_str().unwrap_or_default().to_owned()))
    };
    let refreshed = json!({ "refresh_token": client.agency().refresh_token });
    let (refreshed, _) = post("/auth/v1/token?grant_type=refresh_token", refreshed).await?;
    let (linked, _) = post("/auth/v1/verify", json!({ "type": "magiclink", "token_hash": link })).await?;
    let password = json!({ "email": client.agency().email, "password": super::client::PASSWORD });
    let (signed_in, token) = post("/auth/v1/token?grant_type=password", password).await?;
    let get = async |path: &str| {
        let answer = client.request(Method::GET, path).bearer_auth(&token).send().await?;
        anyhow::Ok(answer.status().as_u16())
    };
    Ok(vec![
        ("refreshing a session after the jump", refreshed),
        ("a link from before the jump", linked),
        ("signing in after the jump", signed_in),
        ("reading rows with a new token", get("/rest/v1/agencies?select=id&limit=1").await?),
        ("the account with a new token", get("/auth/v1/user").await?),
    ])
}
