//! One file per endpoint, named after its path.

pub mod admin;
pub mod factors;
pub mod health;
pub mod invite;
pub mod jwks;
pub mod logout;
pub mod not_offered;
pub mod otp;
pub mod reauthenticate;
pub mod recover;
pub mod resend;
pub mod settings;
pub mod signup;
pub mod token;
pub mod user;
pub mod verify;
