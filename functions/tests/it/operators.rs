//! The admin port.

use std::net::{Ipv4Addr, TcpListener};

use test_support::program::Program;

use crate::stack::Stack;

#[tokio::test]
async fn the_functions_are_ready_while_the_services_that_they_call_are() {
    let stack = Stack::start().await;
    let settings = stack.environment();
    let environment: Vec<(&str, &str)> =
        settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let (path, log) = (env!("CARGO_BIN_EXE_functions"), tempfile::tempfile().unwrap());
    let mut program = Program::start_with_admin_socket(&socket, path, &environment, log);

    program.answers("/ready", 200).await;
    program.answers("/metrics", 200).await;
    stack.gateway.stop().await;
    program.answers("/ready", 503).await;
    program.answers("/live", 200).await;
}
