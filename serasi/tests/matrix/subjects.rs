//! The acts of `db/tests/policies`, and one test for each file of `tables/`. A failure names the file and the line.

use crate::{oracle, rows, services};

#[tokio::test]
async fn policies() {
    rows::policies().await;
}

#[tokio::test]
async fn rows_over_http() {
    rows::own("rows.txt").await;
}

#[tokio::test]
async fn private_columns() {
    oracle::own("private.txt").await;
}

#[tokio::test]
async fn storage() {
    services::own("storage/v1", "storage.txt").await;
}

#[tokio::test]
async fn auth() {
    services::own("auth/v1", "auth.txt").await;
}

#[tokio::test]
async fn create_admin() {
    services::own("functions/v1", "create_admin.txt").await;
}

#[tokio::test]
async fn sending_enquiries() {
    services::own("functions/v1", "enquiries.txt").await;
}

#[tokio::test]
async fn hidden_rows() {
    oracle::own("hidden.txt").await;
}
