//! The rules and newtypes of accounts and sessions, without network or database.

pub mod email;
pub mod factor_keys;
pub mod failure_limit;
pub mod glob;
pub mod hash_cost;
pub mod mail_kind;
pub mod metadata;
pub mod must_confirm;
pub mod one_time_token;
pub mod password;
pub mod phone;
pub mod pkce;
pub mod recovery_code;
pub mod redirect;
pub mod refresh_token;
pub mod rotation;
pub mod session_limits;
pub mod span;
pub mod totp;

pub mod verification;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
