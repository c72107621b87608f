//! `serasi demo`: adds the demo data to an empty database, for separately deployed services (compose).

use axum::Router;
use platform::env::Env;
use platform::random;
use platform::secret::Secret;

use crate::DataDir;
use crate::database::Database;
use crate::database::temporary_login::refuse_imported_triggers;
use crate::demo;
use crate::keys::Keys;
use crate::progress::Progress;

pub async fn run(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    database.migrate(&progress).await?;
    refuse_imported_triggers(&mut database.connect().await?).await?;
    // The pictures are uploaded through the storage service. The tokens for that are valid in this process
    // only.
    let secret = random::token(48);
    let keys = Keys::of_secret(Secret::new(&secret))?;
    let storage_dir =
        env.optional("STORAGE_DIR").map_or_else(|| options.data_dir.join("storage"), Into::into);
    let env = env
        .clone()
        .with("DATABASE_URL", database.admin_url().expose())
        .with("STORAGE_DIR", storage_dir.display().to_string())
        .with("JWT_SECRET", secret);
    let storage = storage_service::start(storage_service::Config::from_env(&env)?).await?;
    let app = Router::new().nest_service("/storage/v1", storage.router());

    let mut connection = database.connect().await?;
    let was_empty = db::is_empty(&mut connection).await?;
    demo::offer(&mut connection, &app, &keys, true, &progress).await?;
    let outcome =
        if was_empty { "The demo data was added." } else { "The database has accounts: nothing was added." };
    println!("{outcome}");
    Ok(())
}
