//! `serasi migrate`: migrates the database to this version's schema. If `LOGIN_PASSWORD` is set, it also
//! becomes the password of the services' logins, for separately deployed services (compose).

use platform::env::Env;
use platform::secret::Secret;

use crate::database::{Database, LOGINS};
use crate::progress::Progress;
use crate::{DataDir, import_owner};

pub async fn run(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    import_owner::lock_out(&database).await?;
    database.migrate(&progress).await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(&LOGINS, |_| Secret::new(password)).await?;
    }
    println!("The database schema is up to date.");
    Ok(())
}
