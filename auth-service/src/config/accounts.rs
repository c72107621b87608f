//! Account settings: who may sign up, how owners prove an address, and where links may redirect.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use platform::env::{ConfigError, Env};
use url::Url;

use super::list;
use crate::domain::glob::Glob;
use crate::domain::redirect::Redirects;

pub const NAMES: [&str; 9] = [
    "AUTH_EMAIL_PROVIDER",
    "AUTH_SIGNUPS",
    "AUTH_SIGNUPS_PER_HOUR",
    "AUTH_OTP_SECONDS",
    "AUTH_MAIL_INTERVAL_SECONDS",
    "AUTH_MAILS_PER_HOUR",
    "AUTH_REDIRECT_URLS",
    "AUTH_REQUIRE_REAUTHENTICATION",
    "AUTH_REQUIRE_CURRENT_PASSWORD",
];

const SIGN_UPS_PER_HOUR: NonZeroU32 = NonZeroU32::new(1000).expect("1000 is not zero");

#[derive(Clone)]
pub struct AccountRules {
    /// Whether sign-up and sign-in by e-mail are enabled.
    pub email_provider: bool,
    pub sign_ups: bool,
    /// Accounts without a confirmation e-mail, for all clients together.
    pub sign_ups_per_hour: NonZeroU32,
    pub redirects: Redirects,
    /// Lifetime of a mailed link or code.
    pub token_life: TimeDelta,
    /// Minimum interval between two e-mails of a kind to one account.
    pub mail_interval: TimeDelta,
    pub mails_per_hour: NonZeroU32,
    pub require_reauthentication: bool,
    pub require_current_password: bool,
}

impl AccountRules {
    pub fn from_env(env: &Env, site_url: Url, site_text: &str) -> Result<Self, ConfigError> {
        let seconds =
            |name: &str, default: u32| env.parse_or(name, default).map(|s| TimeDelta::seconds(s.into()));
        let token_life = seconds("AUTH_OTP_SECONDS", 86_400)?;
        if token_life.is_zero() {
            return Err(ConfigError::new("AUTH_OTP_SECONDS", "must be at least 1"));
        }
        let allowed = list(env, "AUTH_REDIRECT_URLS").map(|text| {
            Glob::parse(text)
                .map_err(|error| ConfigError::new("AUTH_REDIRECT_URLS", format!("`{text}`: {error}")))
        });
        Ok(Self {
            email_provider: env.flag_or("AUTH_EMAIL_PROVIDER", true)?,
            sign_ups: env.flag_or("AUTH_SIGNUPS", true)?,
            sign_ups_per_hour: env.parse_or("AUTH_SIGNUPS_PER_HOUR", SIGN_UPS_PER_HOUR)?,
            redirects: Redirects::new(site_url, site_text, allowed.collect::<Result<_, _>>()?),
            token_life,
            mail_interval: seconds("AUTH_MAIL_INTERVAL_SECONDS", 60)?,
            mails_per_hour: env
                .parse_or("AUTH_MAILS_PER_HOUR", NonZeroU32::new(30).unwrap_or(NonZeroU32::MIN))?,
            require_reauthentication: env.flag_or("AUTH_REQUIRE_REAUTHENTICATION", true)?,
            require_current_password: env.flag_or("AUTH_REQUIRE_CURRENT_PASSWORD", false)?,
        })
    }
}
