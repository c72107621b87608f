//! The signed-in users of the benchmark: generated accounts with tokens as the auth service issues them.

use anyhow::{Context, ensure};
use platform::clock::Clock;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use serde_json::json;
use tokio_postgres::Client;

/// Lifetime of the tokens, longer than any run.
const TOKEN_SECONDS: i64 = 86_400;
/// Each agency may have 500 gigs, and all of them together receive the inserts of one measurement.
const AGENCIES: i64 = 512;

pub struct Person {
    pub user: String,
    /// The id of the agency's profile; empty for others.
    pub agency: String,
    pub token: String,
}

pub struct People {
    /// An influencer who may see gigs.
    pub influencer: Person,
    pub agencies: Vec<Person>,
}

impl People {
    /// # Errors
    /// When the database has too few generated accounts.
    pub async fn find(database: &Client, secret: Secret) -> anyhow::Result<Self> {
        let keys = JwtKeys::from_secret(secret)?;
        let influencer = database
            .query_opt(
                "select user_id::text, '' from app.influencers where approved and verified order by user_id limit 1",
                &[],
            )
            .await?
            .context("the database has no verified influencer: `serasi seed` adds some")?;
        let user: &str = influencer.try_get(0)?;
        let allow = format!("update app.moderation set access_gigs_page = true where user_id = '{user}'");
        database.batch_execute(&allow).await.context("access to the gigs")?;
        let agencies = database
            .query("select user_id::text, id::text from app.agencies order by user_id limit $1", &[&AGENCIES])
            .await?;
        ensure!(
            agencies.len() == usize::try_from(AGENCIES)?,
            "the database has fewer than {AGENCIES} agencies"
        );
        let person = |row: &tokio_postgres::Row| {
            let (user, agency): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            anyhow::Ok(Person { token: token(&keys, &user)?, user, agency })
        };
        Ok(Self {
            influencer: person(&influencer)?,
            agencies: agencies.iter().map(person).collect::<Result<_, _>>()?,
        })
    }
}

/// # Errors
/// When the token can't be signed.
pub fn token(keys: &JwtKeys, user: &str) -> anyhow::Result<String> {
    let now = Clock::system().now().timestamp();
    let claims = json!({
        "iss": "serasi", "sub": user, "aud": "authenticated", "role": "authenticated",
        "email": format!("{user}@seed.serasi.test"), "iat": now, "exp": now + TOKEN_SECONDS, "aal": "aal1",
        "app_metadata": {}, "user_metadata": {},
    });
    Ok(keys.sign(&claims)?)
}
