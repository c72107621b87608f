//! One test per subject, so that a failure names it.

use crate::{oracle, rows, services};

#[tokio::test]
async fn user_roles() {
    rows::policies("user_roles").await;
}

#[tokio::test]
async fn profiles() {
    rows::policies("profiles").await;
}

#[tokio::test]
async fn influencers() {
    rows::policies("influencers").await;
}

#[tokio::test]
async fn influencers_added() {
    rows::policies("influencers_added").await;
}

#[tokio::test]
async fn influencers_edited() {
    rows::policies("influencers_edited").await;
}

#[tokio::test]
async fn influencers_decided() {
    rows::policies("influencers_decided").await;
}

#[tokio::test]
async fn agencies() {
    rows::policies("agencies").await;
}

#[tokio::test]
async fn agencies_added() {
    rows::policies("agencies_added").await;
}

#[tokio::test]
async fn vendors() {
    rows::policies("vendors").await;
}

#[tokio::test]
async fn gigs() {
    rows::policies("gigs").await;
}

#[tokio::test]
async fn applications() {
    rows::policies("applications").await;
}

#[tokio::test]
async fn visitors() {
    rows::policies("visitors").await;
}

#[tokio::test]
async fn audit_log() {
    rows::policies("audit_log").await;
}

#[tokio::test]
async fn backups() {
    rows::policies("backups").await;
}

#[tokio::test]
async fn collaborations() {
    rows::policies("collaborations").await;
}

#[tokio::test]
async fn guest_reviews() {
    rows::policies("guest_reviews").await;
}

#[tokio::test]
async fn reviews() {
    rows::policies("reviews").await;
}

#[tokio::test]
async fn moderation() {
    rows::policies("moderation").await;
}

#[tokio::test]
async fn notices() {
    rows::policies("notices").await;
}

#[tokio::test]
async fn notifications() {
    rows::policies("notifications").await;
}

#[tokio::test]
async fn report_kinds() {
    rows::policies("report_kinds").await;
}

#[tokio::test]
async fn reports() {
    rows::policies("reports").await;
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
async fn enquiries() {
    rows::policies("enquiries").await;
}

#[tokio::test]
async fn sending_enquiries() {
    services::own("functions/v1", "enquiries.txt").await;
}

#[tokio::test]
async fn hidden_rows() {
    oracle::own("hidden.txt").await;
}
