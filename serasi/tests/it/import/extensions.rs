//! Extensions of hosted projects: those that only a superuser can create, that are in `public`, or that do not exist here.

use std::path::Path;

use sqlx::Executor;

use super::{Project, blobs, import, report};
use crate::prepared;
use crate::product::Product;
use crate::support::refusal;

const EXTENSIONS: &str = "
alter extension citext set schema public;
alter extension \"uuid-ossp\" set schema public;
create extension moddatetime schema extensions;
create trigger changed before update on public.notes for each row execute function extensions.moddatetime(changed_at);";

#[tokio::test]
async fn extensions_are_created_where_the_dump_has_them_and_missing_ones_are_named() {
    let project = Project::new().await;
    project.cluster.connect().await.execute(EXTENSIONS).await.unwrap();
    let dump = project.dump("dump.sql", &[]);
    let data_dir = prepared::data_dir();
    let data_dir = data_dir.path();

    let text = std::fs::read_to_string(&dump).unwrap();
    let place = text.find("CREATE EXTENSION").unwrap();
    let missing = "CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA extensions;\n";
    let with_missing = format!("{}{missing}{}", &text[..place], &text[place..]);
    let unused = project.write("unused.sql", with_missing.as_bytes());
    let said = import(data_dir, &[&unused], &[]);
    assert!(report(&said).contains("extension vector: left out"), "{said:?}");
    let used = with_missing.replace(
        "CREATE TABLE public.countries (",
        "CREATE TABLE public.countries (\n    place extensions.vector(3),",
    );
    let used = project.write("used.sql", used.as_bytes());
    let output = import(data_dir, &[&used], &["--apply"]);
    let line = refusal(&output);
    let number = std::fs::read_to_string(&used)
        .unwrap()
        .lines()
        .position(|line| line.starts_with("CREATE TABLE public.countries"))
        .unwrap()
        + 1;
    assert!(
        line.contains(&format!("line {number} of")) && line.contains("do not exist here: vector"),
        "{line}"
    );
    let named = String::from_utf8(output.stderr).unwrap();
    assert!(named.find("do not exist here: vector").unwrap() < named.find("line ").unwrap(), "{named}");
    assert_eq!(blobs(data_dir), 0);

    report(&import(data_dir, &[&dump], &["--apply"]));
    extensions_work(data_dir).await;
}

async fn extensions_work(data_dir: &Path) {
    let product = Product::start(data_dir, &[]);
    let mut connection = product.superuser().await;
    let found: Vec<String> = sqlx::query_scalar(
        "select extname || ' in ' || extnamespace::regnamespace from pg_catalog.pg_extension where extname in ('citext', 'moddatetime', 'uuid-ossp') order by 1",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert_eq!(found, ["citext in public", "moddatetime in extensions", "uuid-ossp in extensions"]);
    let notes = "select count(*) from public.notes where changed_at < now()";
    let notes: i64 = sqlx::query_scalar(notes).fetch_one(&mut connection).await.unwrap();
    assert_eq!(notes, 3);
    connection
        .execute("insert into public.notes (owner, body) select id, 'with a token' from auth.users limit 1")
        .await
        .unwrap();
}
