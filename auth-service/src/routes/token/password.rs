//! `grant_type=password`

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Deserialize;
use uuid::Uuid;

use crate::client::Client;
use crate::domain::password::Password;
use crate::domain::refresh_token::RefreshToken;
use crate::error::{AuthError, Result};
use crate::failure_limit::{Allowance, Attempt};
use crate::hashing::Comparison;
use crate::security_event::{About, AddressHash, SecurityEvent};
use crate::service::Service;
use crate::shape::session::{Session, WeakPassword};
use crate::store::password_sign_ins::{self, Candidate, Outcome, PasswordSignIn};
use crate::store::sessions::SessionRow;
use crate::store::users;
use crate::{failure_limit, sign_in};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    password: Option<String>,
}

/// A concurrent sign-in may replace the stored hash with a better one of the same password; the second round
/// compares with that one.
const ROUNDS: usize = 2;

pub async fn grant(service: &Service, client: &Client, body: Request) -> Result<Session> {
    let password = body.password.unwrap_or_default();
    let email = address(body.email.unwrap_or_default(), &body.phone.unwrap_or_default())?;
    sign_in::by_email(service)?;
    // PostgreSQL's text holds no NUL, so no account has such an address.
    if email.contains('\0') {
        return Err(AuthError::invalid_credentials());
    }
    for _ in 0..ROUNDS {
        if let Some(mut session) = attempt(service, client, &email, &password).await? {
            session.weak_password = weakness(service, &password);
            return Ok(session);
        }
    }
    Err(AuthError::invalid_credentials())
}

/// `None`: the stored hash changed while the password was compared with it.
async fn attempt(service: &Service, client: &Client, email: &str, password: &str) -> Result<Option<Session>> {
    let tried = Attempt { email, client };
    // The permit comes first: when the queue is full, the request costs nothing, not even a query.
    let permit = service.hasher.permit(client)?;
    let user = failure_limit::find(service, &mut *service.pool.acquire().await?, tried).await?;
    if let Some(user) = user.as_ref().filter(|user| users::is_banned(user.banned_until, service.now())) {
        return Err(refused(user.id, client, AuthError::bad_request("user_banned", "User is banned")));
    }
    let stored = user.as_ref().and_then(|user| user.encrypted_password.clone());
    let comparison = match Password::acceptable(password) {
        Ok(attempt) => service.hasher.compare(permit, attempt, stored).await?,
        // No account can have such a password; the response is the same for every address.
        Err(_) => Comparison::Wrong,
    };
    let (Some(user), Comparison::Right { better }) = (user, comparison) else {
        record_failure(service, tried);
        return Err(failure_limit::wrong_password(service, tried, AuthError::invalid_credentials()).await);
    };
    if user.email_confirmed_at.is_none() {
        let mut transaction = service.pool.begin().await?;
        failure_limit::right_password(service, &mut transaction, tried).await?;
        transaction.commit().await?;
        let unconfirmed = AuthError::bad_request("email_not_confirmed", "Email not confirmed");
        return Err(refused(user.id, client, unconfirmed));
    }
    open_session(service, tried, &user, better.as_deref()).await
}

/// After a correct password. `None`: the stored hash has changed since.
async fn open_session(
    service: &Service,
    tried: Attempt<'_>,
    user: &Candidate,
    better: Option<&str>,
) -> Result<Option<Session>> {
    let now = service.now();
    let allowance = Allowance::of(service, tried, now);
    let opening = SessionRequest { user, better, allowance: &allowance, client: tried.client, now };
    let (outcome, session, token) = opening.session(&mut *service.pool.acquire().await?).await?;
    let (user, identities) = match outcome {
        Outcome::SignedIn(user, identities) => (*user, identities),
        Outcome::Paused(counted) => return Err(failure_limit::paused(service, tried, counted)),
        Outcome::Changed => return Ok(None),
    };
    let session = sign_in::answer(service, user, identities, &session, &token, now)?;
    sign_in::record(&session, "password", tried.client);
    Ok(Some(session))
}

fn record_failure(service: &Service, tried: Attempt<'_>) {
    let address = AddressHash::new(&service.digests, tried.email);
    SecurityEvent::SignInFailed.record(About {
        address: Some(&address),
        client: tried.client.address,
        by: Some("password"),
        ..About::default()
    });
}

/// The session to create for a correct password.
struct SessionRequest<'a> {
    user: &'a Candidate,
    better: Option<&'a str>,
    allowance: &'a Allowance,
    client: &'a Client,
    now: DateTime<Utc>,
}

impl SessionRequest<'_> {
    /// Creates a new session, with a fresh id and token on each call.
    async fn session(
        &self,
        connection: &mut PgConnection,
    ) -> sqlx::Result<(Outcome, SessionRow, RefreshToken)> {
        let (session, token) =
            (sign_in::new_session(self.user.id, "password", self.now), RefreshToken::random());
        let sign_in = PasswordSignIn {
            checked: self.user.encrypted_password.as_deref().unwrap_or_default(),
            better: self.better,
            address_hash: &self.allowance.address_hash,
            max_failures: self.allowance.max_failures,
            window_start: self.allowance.window_start,
            session: &session,
            token: &token.hash(),
            user_agent: self.client.user_agent.as_deref(),
            address: self.client.address,
        };
        let outcome = password_sign_ins::insert(connection, &sign_in).await?;
        Ok((outcome, session, token))
    }
}

fn refused(user: Uuid, client: &Client, answer: AuthError) -> AuthError {
    SecurityEvent::SignInRefused.record(About {
        user: Some(user),
        client: client.address,
        by: Some(answer.code),
        ..About::default()
    });
    answer
}

fn address(email: String, phone: &str) -> Result<String> {
    match (email.is_empty(), phone.is_empty()) {
        (false, true) => Ok(email.to_ascii_lowercase()),
        (true, false) => Err(AuthError::bad_request("phone_provider_disabled", "Phone logins are disabled")),
        (true, true) => Err(AuthError::validation("missing email or phone")),
        (false, false) => {
            Err(AuthError::validation("Only an email address or phone number should be provided on login."))
        }
    }
}

/// Reported to the client, which may ask for a better password. The sign-in still succeeds.
fn weakness(service: &Service, password: &str) -> Option<WeakPassword> {
    let refusal = AuthError::from(service.config.password_rules.check(password).err()?);
    Some(WeakPassword { message: refusal.message.into_owned(), reasons: refusal.weak_password })
}
