//! Everything that was started is stopped, however the launcher ends.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{Launcher, free_port, postgres_runs, serasi, up, within};

#[test]
fn a_terminated_launcher_stops_its_database_and_reports_success() {
    let data_dir = tempfile::tempdir().unwrap();
    let launcher = Launcher::start(data_dir.path(), free_port());
    assert!(postgres_runs(data_dir.path()));

    launcher.signal("-TERM");

    assert!(launcher.wait().success());
    assert!(!postgres_runs(data_dir.path()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_killed_launcher_leaves_no_database_behind_and_the_next_start_works() {
    let data_dir = tempfile::tempdir().unwrap();
    let launcher = Launcher::start(data_dir.path(), free_port());

    launcher.signal("-KILL");
    launcher.wait();

    assert!(within(Duration::from_secs(10), || !postgres_runs(data_dir.path())));
    let again = Launcher::start(data_dir.path(), free_port());
    again.signal("-INT");
    assert!(again.wait().success());
}

#[test]
fn status_prints_every_key_while_running_and_fails_afterwards() {
    let data_dir = tempfile::tempdir().unwrap();
    let port = free_port();
    let launcher = Launcher::start(data_dir.path(), port);
    let status = || {
        let mut command = serasi();
        command.args(["status", "--output", "env", "--data-dir"]).arg(data_dir.path()).output().unwrap()
    };

    let output = String::from_utf8(status().stdout).unwrap();

    let names: Vec<&str> = output.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
    let keys = ["API_URL", "ANON_KEY", "SERVICE_ROLE_KEY", "JWT_SECRET"];
    assert_eq!(names, [&keys[..], &["DB_URL", "DEVELOPER_DB_URL", "MAIL_URL"]].concat());
    assert!(output.contains(&format!("API_URL=http://127.0.0.1:{port}\n")));
    launcher.signal("-TERM");
    launcher.wait();
    assert!(!status().status.success());
}

#[test]
fn a_second_start_on_the_same_data_is_rejected_and_harms_nothing() {
    let data_dir = tempfile::tempdir().unwrap();
    let first = Launcher::start(data_dir.path(), free_port());

    let second = up(data_dir.path(), free_port()).output().unwrap();

    assert!(crate::support::refusal(&second).contains("already running"));
    assert!(postgres_runs(data_dir.path()));
    first.signal("-TERM");
    first.wait();
}

#[test]
fn concurrent_migrations_of_one_database_wait_for_each_other() {
    let data_dir = tempfile::tempdir().unwrap();
    let _running = Launcher::start(data_dir.path(), free_port());
    let prepare = || {
        let mut migrate = serasi();
        migrate.arg("migrate").arg("--data-dir").arg(data_dir.path()).env("LOGIN_PASSWORD", "one-for-all");
        migrate.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };

    let at_once: Vec<_> = (0..24).map(|_| prepare()).collect();

    for one in at_once {
        let output = one.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
