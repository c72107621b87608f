//! A database with the backend alone.

use db::{Contents, MigrationError, Patience, Release, Text};
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{AssertSqlSafe, Executor, PgConnection, SqlSafeStr};

use crate::support::EmptyDatabase;

async fn bare() -> (EmptyDatabase, PgConnection) {
    let database = EmptyDatabase::new().await;
    let mut connection = database.connect().await;
    db::migrate_with(Contents::Backend, &mut connection, |_| ()).await.expect("migrate");
    (database, connection)
}

async fn texts(connection: &mut PgConnection, query: &'static str) -> Vec<String> {
    sqlx::query_scalar(query).fetch_all(connection).await.expect("query")
}

/// Runs a statement as a role with these claims, and returns how many rows it changed or read.
async fn as_role(
    connection: &mut PgConnection,
    role: &str,
    sub: &str,
    statement: &str,
) -> Result<u64, sqlx::Error> {
    let claims = format!("{{\"role\": \"{role}\", \"sub\": \"{sub}\"}}");
    sqlx::query("select set_config('request.jwt.claims', $1, false), set_config('role', $2, false)")
        .bind(claims)
        .bind(role)
        .execute(&mut *connection)
        .await?;
    let outcome = sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *connection).await;
    connection.execute("reset role").await?;
    Ok(outcome?.rows_affected())
}

/// Lines that begin an object, and the lines of its parts.
fn blocks(snapshot: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in snapshot.lines() {
        match blocks.last_mut() {
            Some((_, parts)) if line.starts_with(' ') => parts.push(line),
            _ => blocks.push((line, Vec::new())),
        }
    }
    blocks
}

/// Whether an object is the marketplace's.
fn is_of_marketplace(object: &str) -> bool {
    [" app.", " public.", "schema app ", "operator "].iter().any(|mark| object.contains(mark))
}

#[tokio::test]
async fn it_has_the_reviewed_structure_without_the_marketplace() {
    let (database, mut connection) = bare().await;
    let reviewed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.snapshot"));
    let reviewed = reviewed.expect("read the snapshot");
    let made: Vec<String> = Release::current()
        .texts
        .iter()
        .filter(|text| text.file.starts_with("marketplace/"))
        .flat_map(|text| text.sql.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();

    let found = db::snapshot(&mut connection).await.expect("read the structure");

    let mut expected = String::new();
    let bare = blocks(&found);
    for (object, parts) in blocks(&reviewed).into_iter().filter(|(object, _)| !is_of_marketplace(object)) {
        expected += &format!("{object}\n");
        let has = bare.iter().find(|(name, _)| *name == object).map(|(_, parts)| parts.clone());
        let has = has.unwrap_or_default();
        // What marketplace/ adds to a table: a policy or trigger of its files with the grant for it, a reference to its tables.
        let is_added = |part: &&&str| {
            let name = part.split('"').nth(1).or_else(|| part.split_whitespace().nth(1)).unwrap_or_default();
            let is_created = ["policy", "trigger"].iter().any(|kind| part.trim_start().starts_with(kind))
                && made.iter().any(|line| line.starts_with("create ") && line.contains(name));
            let is_granted = made.iter().any(|line| {
                let table = object.split_whitespace().nth(1).unwrap_or_default();
                part.trim_start().starts_with("grant ") && line.starts_with("grant ") && line.contains(table)
            });
            !has.contains(part) && (is_created || is_granted || part.contains(" app."))
        };
        parts.iter().filter(|part| !is_added(part)).for_each(|part| expected += &format!("{part}\n"));
    }
    assert_eq!(db::difference(&expected, &found), "");
    drop(database);
}

#[tokio::test]
async fn it_has_nothing_of_the_marketplace() {
    let (database, mut connection) = bare().await;

    let schemas =
        texts(&mut connection, "select nspname::text from pg_namespace where nspname !~ '^pg_' order by 1")
            .await;
    let public = texts(
        &mut connection,
        "select classid::regclass || ' ' || objid from pg_depend where refclassid = 'pg_namespace'::regclass and refobjid = 'public'::regnamespace
           and classid <> 'pg_default_acl'::regclass",
    )
    .await;

    assert_eq!(
        schemas,
        ["auth", "extensions", "information_schema", "migration", "public", "serasi", "storage"]
    );
    assert_eq!(public, Vec::<String>::new());
    assert_eq!(db::contents(&mut connection).await.expect("read"), Some(Contents::Backend));
    drop(database);
}

#[tokio::test]
async fn accounts_mails_and_the_schedule_work() {
    let (database, mut connection) = bare().await;
    let sub = "00000000-0000-4000-8000-000000000001";
    for user_type in ["\"dragon\"", "7", "null"] {
        let sign_up =
            format!("insert into auth.users (raw_user_meta_data) values ('{{\"user_type\": {user_type}}}')");
        assert_eq!(as_role(&mut connection, "auth_admin", sub, &sign_up).await.expect(user_type), 1);
    }
    let mail = "insert into serasi.mail_outbox (template, recipient, data) values ('confirmation', 'a@example.test', '{}');
        insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method, created_at)
        select id, 'recovery', repeat('a', 43), 'plain', now() - interval '31 days' from auth.users limit 1;
        insert into auth.users (email, email_unproved, created_at, updated_at)
        values ('never@example.test', true, now() - interval '31 days', now() - interval '31 days')";
    as_role(&mut connection, "auth_admin", sub, mail).await.expect("a mail, and rows that are due");

    let tick = "select serasi.run_tick_part(part) from unnest(serasi.tick_parts()) as part";
    assert_eq!(as_role(&mut connection, "auth_admin", sub, tick).await.expect("the schedule"), 3);

    let kept =
        "select concat_ws(' ', (select count(*) from auth.users), (select count(*) from auth.flow_state),
        (select count(*) from serasi.mail_outbox where urgency = 0))";
    assert_eq!(texts(&mut connection, kept).await, ["3 0 1"]);
    drop(database);
}

#[tokio::test]
async fn policies_of_a_developer_decide_about_files() {
    let (database, mut connection) = bare().await;
    let people = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
    connection
        .execute(
            "insert into storage.buckets (id, name) values ('papers', 'papers');
             insert into auth.users (id) select format('00000000-0000-4000-8000-00000000000%s', n)::uuid from generate_series(1, 2) as n;
             create policy \"people read their own\" on storage.objects for select to authenticated using (owner_id = (select auth.uid())::text);
             create policy \"people add their own\" on storage.objects for insert to authenticated
               with check (bucket_id = 'papers' and owner_id = (select auth.uid())::text)",
        )
        .await
        .expect("a developer's policies");
    let add = format!(
        "insert into storage.objects (bucket_id, name, owner_id) values ('papers', 'a.txt', '{}')",
        people[0]
    );

    as_role(&mut connection, "authenticated", people[1], &add).await.expect_err("for somebody else");
    as_role(&mut connection, "authenticated", people[0], &add).await.expect("an own file");

    let read = "select from storage.objects";
    assert_eq!(as_role(&mut connection, "authenticated", people[0], read).await.expect("read"), 1);
    assert_eq!(as_role(&mut connection, "authenticated", people[1], read).await.expect("read"), 0);
    assert_eq!(as_role(&mut connection, "storage_admin", people[1], read).await.expect("read"), 1);
    drop(database);
}

#[tokio::test]
async fn it_is_upgraded_by_itself() {
    let (database, mut connection) = bare().await;
    let before = db::snapshot(&mut connection).await.expect("read");
    connection.execute("create table public.todos (id bigint primary key)").await.expect("an own table");
    let mut later = Release::with(Contents::Backend);
    let step = "set local role serasi_owner; alter table auth.settings add column more text";
    later.migrations.push(Migration::new(
        9999,
        "a test".into(),
        MigrationType::Simple,
        step.into_sql_str(),
        false,
    ));
    let text = "create function serasi.more() returns text language sql as 'select more from auth.settings'";
    later.texts.push(Text { file: "backend/functions/more.sql".into(), sql: text.into() });

    db::upgrade_to(&later, &mut connection, Patience::default(), |_| ()).await.expect("upgrade");

    let after = db::snapshot(&mut connection).await.expect("read");
    let difference = db::difference(&before, &after);
    assert!(
        difference.contains("+   more text") && difference.contains("+ function serasi.more()"),
        "{difference}"
    );
    assert!(!difference.contains("\n-"), "{difference}");
    assert_eq!(texts(&mut connection, "select to_regclass('public.todos')::text").await, ["todos"]);
    drop(database);
}

#[tokio::test]
async fn other_contents_are_refused() {
    let (bare, mut backend) = bare().await;
    let (database, mut marketplace) = EmptyDatabase::migrated().await;

    for (connection, contents, message) in [
        (&mut backend, Contents::Marketplace, "start with --bare"),
        (&mut marketplace, Contents::Backend, "start without --bare"),
    ] {
        let before = db::snapshot(&mut *connection).await.expect("read");
        let error = db::migrate_with(contents, &mut *connection, |_| ()).await.expect_err("other contents");

        assert!(
            matches!(error, MigrationError::OtherContents(why) if why.contains(message) && !why.contains('\n')),
            "{error}"
        );
        assert_eq!(db::snapshot(&mut *connection).await.expect("read"), before);
    }
    drop(bare);
    drop(database);
}
