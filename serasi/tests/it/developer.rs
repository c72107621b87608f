//! The login of developers, and the warnings about rows that everyone can read.

use std::io::Read;

use sqlx::{Connection, Executor, PgConnection};

use crate::prepared;
use crate::product::settings;
use crate::support::{Launcher, free_port, serasi};

const OPEN: &str = "
create table public.open (id integer);
alter table public.open disable row level security;
create view public.all_open as select id from public.open;
create table public.protected (id bigserial primary key, account uuid references auth.users (id));
create view public.mine with (security_invoker = true) as select id from public.protected";

#[tokio::test]
async fn developers_are_warned_about_rows_that_everyone_can_read() {
    let data_dir = prepared::data_dir();
    let launcher = Launcher::start(data_dir.path(), free_port());
    let url = settings(data_dir.path())["DEVELOPER_DB_URL"].clone();
    let mut developer = PgConnection::connect(&url).await.unwrap();
    developer.execute(OPEN).await.unwrap();
    for act in ["select from auth.users", "set role service_role", "create table app.mine ()"] {
        let refusal = developer.execute(act).await.unwrap_err();
        assert_eq!(refusal.as_database_error().unwrap().code().as_deref(), Some("42501"), "{act}");
    }

    let status = serasi().args(["status", "--data-dir"]).arg(data_dir.path()).output().unwrap();
    assert_warned(&String::from_utf8(status.stderr).unwrap());

    launcher.signal("-TERM");
    assert!(launcher.wait().success());
    let mut launcher = Launcher::start(data_dir.path(), free_port());
    launcher.signal("-TERM");
    let mut log = String::new();
    launcher.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_warned(&log);
}

fn assert_warned(text: &str) {
    assert!(text.contains("public.open is a table without row security"), "{text}");
    assert!(text.contains("public.all_open is a view without security_invoker"), "{text}");
    assert!(!text.contains("public.protected") && !text.contains("public.mine"), "{text}");
    assert!(!text.contains("public.gigs"), "Serasi's own views are protected: {text}");
}
