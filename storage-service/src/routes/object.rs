//! `/object`.

pub mod copy;
pub mod get;
pub mod info;
pub mod list;
pub mod list_v2;
pub mod r#move;
pub mod remove;
pub mod sign;
pub mod sign_upload;
pub mod upload;

mod row;
mod transfer;
