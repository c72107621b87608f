//! One file per endpoint, named as its path.

pub mod admin;
pub mod health;
pub mod jwks;
pub mod logout;
pub mod settings;
pub mod signup;
pub mod token;
pub mod user;
