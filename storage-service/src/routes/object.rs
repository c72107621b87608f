//! `/object`.

pub mod copy;
pub mod get;
pub mod info;
pub mod list;
pub mod list_v2;
pub mod r#move;
pub mod remove;
pub mod remove_many;
pub mod sign;
pub mod sign_many;
pub mod sign_upload;
pub mod upload;
pub mod upload_signed;

mod row;
pub mod signed_token;
mod transfer;
