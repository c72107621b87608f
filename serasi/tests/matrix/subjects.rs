//! One test per subject, so that a failure names it.

use crate::rows;

#[tokio::test]
async fn user_roles() {
    rows::policies("user_roles").await;
}
