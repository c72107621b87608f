//! `serasi psql` opens psql on the database of a running Serasi.

use crate::prepared;
use crate::support::{Launcher, free_port, refusal, serasi};

#[test]
fn psql_opens_the_running_database() {
    let data_dir = prepared::data_dir();
    let psql = |arguments: &[&str]| {
        let mut psql = serasi();
        psql.args(["psql", "--data-dir"]).arg(data_dir.path()).args(arguments).output().unwrap()
    };
    let refused = refusal(&psql(&["-c", "select 1"]));
    assert!(refused.contains("no Serasi is running") && refused.contains("`serasi up`"), "{refused}");

    let launcher = Launcher::start(data_dir.path(), free_port());
    let answer = psql(&["-XAt", "-c", "select current_database(), count(*) from auth.users"]);
    assert_eq!(String::from_utf8(answer.stdout).unwrap(), "serasi|0\n");
    assert!(refusal(&psql(&["-c", "select nothing"])).contains("psql ended with"));
    launcher.signal("-TERM");
    assert!(launcher.wait().success());
}
