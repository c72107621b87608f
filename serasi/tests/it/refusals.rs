//! Invalid invocations fail with a one-line error and leave nothing half-started.

use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;

use crate::support::{free_port, postgres_runs, refusal, serasi, up};

#[test]
fn the_error_names_a_busy_port() {
    let data_dir = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();

    let output = up(data_dir.path(), port).output().unwrap();

    assert!(refusal(&output).contains(&format!("port {port} is in use")));
    assert!(!data_dir.path().join("postgres").exists(), "no database was created");
}

#[test]
fn the_error_names_an_unknown_option() {
    let output = serasi().args(["up", "--prot", "80"]).output().unwrap();
    assert!(refusal(&output).contains("--prot"));
}

#[test]
fn a_wrong_database_url_is_rejected_without_showing_its_password() {
    let data_dir = tempfile::tempdir().unwrap();
    for url in ["not a url", "postgres://me:hush-hush@host.invalid/x"] {
        let output = up(data_dir.path(), free_port()).env("DATABASE_URL", url).output().unwrap();
        let message = refusal(&output);
        assert!(message.contains("DATABASE_URL"), "{message}");
        assert!(!message.contains("hush-hush"), "{message}");
    }
}

#[test]
fn a_short_secret_is_rejected() {
    let data_dir = tempfile::tempdir().unwrap();
    let output = up(data_dir.path(), free_port()).env("JWT_SECRET", "too short").output().unwrap();
    assert!(refusal(&output).contains("JWT_SECRET"));
    assert!(!postgres_runs(data_dir.path()));
}

#[test]
fn a_superadmin_needs_a_password_of_six_characters() {
    let data_dir = tempfile::tempdir().unwrap();
    let mut command = serasi();
    command.args(["create-superadmin", "--email", "first@example.com", "--password-stdin", "--data-dir"]);
    let mut child = command
        .arg(data_dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"five5\n").unwrap();
    assert!(refusal(&child.wait_with_output().unwrap()).contains("6 characters"));
}
