//! The program is replaced while clients use it: no request fails, and tokens stay valid.

use std::net::{Ipv4Addr, TcpListener};

use test_support::handover::{Call, replace};
use test_support::program::Program;

use crate::stack::{Stack, email, new_admin};

#[tokio::test]
async fn no_call_fails_while_the_program_is_replaced() {
    let stack = Stack::start().await;
    let (superadmin, influencer) = (stack.officer("superadmin").await, stack.portal_user("influencer").await);
    let settings = stack.environment();
    let environment: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let program = [env!("CARGO_BIN_EXE_functions")];
    let start = || Program::start_on(&socket, &program, &environment, tempfile::tempfile().unwrap());
    let mut first = start();
    first.answers("/ready", 200).await;
    let create = |token: &str| Call::post("/create-admin", &new_admin()).with_token(token);

    // The gateway is asked for the caller's role each time.
    let last = replace(&socket, first, &[create(&influencer).expecting(403)], start).await;
    last.has_valid_metrics().await;

    create(&superadmin).send(socket.local_addr().unwrap()).await.unwrap();
    assert_eq!(stack.roles_of(&email("new")).await, ["admin"]);
}
