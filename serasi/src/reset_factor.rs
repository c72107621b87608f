//! `serasi reset-factor`: removes an account's second factors when no superadmin can, because the last one
//! lost the phone and the recovery codes.

use anyhow::{Context, ensure};
use clap::Args;
use platform::env::Env;

use crate::DataDir;
use crate::database::Database;
use crate::progress::Progress;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// E-mail address of the account
    email: String,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let (database, _held) = Database::open(&options.data_dir.data_dir, env, &Progress::new()).await?;
    let mut connection = database.connect().await?;
    let removed: Option<i32> = sqlx::query_scalar(
        "select serasi.remove_factors(id) from auth.users where email = lower($1) and deleted_at is null",
    )
    .bind(&options.email)
    .fetch_optional(&mut connection)
    .await
    .context("the second factor can't be reset; run `serasi migrate` if the database is older")?;
    let removed = removed.with_context(|| format!("no account has the address {}", options.email))?;
    ensure!(removed > 0, "{} has no second factor", options.email);
    println!("{} was signed out and can sign in with the password alone.", options.email);
    Ok(())
}
