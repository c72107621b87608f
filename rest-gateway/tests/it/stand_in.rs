//! The behavior that PostgREST's own process tests check.

use std::io::{Read, Write};
use std::time::Duration;

use sqlx::{ConnectOptions, Executor, PgConnection};
use test_support::database::TestDatabase;

use crate::program::{Program, Running, free_port, get_port};
use crate::support::{SECRET, as_author, database};

async fn owner(database: &TestDatabase) -> PgConnection {
    database.owner().connect().await.unwrap()
}

/// The log without the times.
fn lines(running: &Running) -> Vec<String> {
    let messages = running.log();
    messages.lines().map(|line| line.split_once(": ").map_or(line, |(_, line)| line).to_owned()).collect()
}

#[tokio::test]
async fn the_startup_is_logged_as_in_postgrest() {
    let database = database().await;
    let program = Program::with(&database);
    let admin = program.path("admin.sock").display().to_string();
    let mut running =
        program.set("PGRST_ADMIN_SERVER_UNIX_SOCKET", &admin).set("PGRST_LOG_LEVEL", "debug").serve(&[]);
    let log = running.log();
    let time = log.split(": ").next().unwrap();
    assert!(time.len() == 26 && time.ends_with(" +0000") && time.contains('/'), "{time}");
    for (line, beginning) in lines(&running).iter().zip([
        "Starting PostgREST 16...",
        "Connection Pool initialized with a maximum size of 3 connections",
        "Admin server listening on /",
        "Listener connected to PostgreSQL ",
        "Successfully connected to PostgreSQL ",
        "Config reloaded",
        "Schema cache queried in ",
        "tables: ",
        "Schema cache loaded ",
        "Schema cache loaded in ",
        "API server listening on /",
    ]) {
        assert!(line.starts_with(beginning), "{beginning}: {log}");
    }
    let listener = "and listening for database notifications on the \"pgrst\" channel";
    let (host, port) = (database.owner().get_host().to_owned(), database.owner().get_port());
    assert!(log.contains(&format!("on \"{host}:{port}\" {listener}")), "{log}");
    assert_eq!(running.get("/items?id=eq.1").status, 200);
    running.signal("INT");
    assert_eq!(running.wait_for_exit(), 0);
    let log = running.log();
    for event in [
        "Trying to borrow a connection from pool",
        "is being established",
        "is available due to connection establishment",
        "is used",
        "is available due to session success",
        "Borrowed a connection from the pool",
        "Received termination unix signal SIGINT",
    ] {
        assert!(log.contains(event), "{event}: {log}");
    }
}

#[tokio::test]
async fn a_schema_that_can_not_be_read_is_reported() {
    let database = database().await;
    let program =
        Program::with(&database).set("PGRST_DB_SCHEMAS", "none").set("PGRST_DB_EXTRA_SEARCH_PATH", "x");
    let mut running = program.serve(&[]);
    let problem = "Failed to load the schema cache using db-schemas=none and db-extra-search-path=x. {\"code\":\"3F000\"";
    assert!(lines(&running).iter().any(|line| line.starts_with(problem)), "{}", running.log());
    let headers = format!("Authorization: {}\r\n", as_author());
    assert_eq!(running.send("/items", &headers).status, 503);
    let body = r#"{"code":"PGRST002","details":null,"hint":null,"message":"Could not query the database for the schema cache. Retrying."}"#;
    // Two threads write the log.
    running.wait_until("the response and its body are logged", |running| {
        running.log().contains("\"GET /items HTTP/1.1\" 503")
            && lines(running).iter().any(|line| line == body)
    });
    assert!(running.log().contains("- - gateway_author ["), "{}", running.log());
}

/// The login role's settings apply to new connections.
#[tokio::test]
async fn a_reload_of_the_schema_replaces_the_connections() {
    let database = database().await;
    let login = format!("{}_login", database.name);
    let setup =
        format!("create role {login} login noinherit password 'test-login'; grant gateway_anon to {login}");
    let mut owner = owner(&database).await;
    owner.execute(sqlx::AssertSqlSafe(setup)).await.unwrap();
    let server = database.owner();
    let port = free_port();
    let program = Program::with(&database)
        .set("PGRST_DB_URI", "postgresql://?application_name=reloads")
        .set("PGHOST", server.get_host())
        .set("PGPORT", &server.get_port().to_string())
        .set("PGDATABASE", &database.name)
        .set("PGUSER", &login)
        .set("PGPASSWORD", "test-login")
        .set("PGRST_ADMIN_SERVER_HOST", "127.0.0.1")
        .set("PGRST_ADMIN_SERVER_PORT", &port.to_string())
        .set("PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP", "100");
    let mut running = program.serve(&[]);
    let timeout = "/rpc/get_guc?name=lock_timeout";
    assert_eq!(running.get(timeout).body, "\"0\"");
    let change = format!("alter role {login} set lock_timeout = '9s'");
    owner.execute(sqlx::AssertSqlSafe(change)).await.unwrap();
    running.signal("USR1");
    running.wait_until("the setting applies", |running| running.get(timeout).body == "\"9s\"");
    let found: i64 = sqlx::query_scalar(
        "select count(*) from pg_stat_activity where application_name = 'reloads' and query = 'LISTEN \"pgrst\"'",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    // The schema cache takes longer than the role's timeout.
    let change = format!("alter role {login} set statement_timeout = '50ms'");
    owner.execute(sqlx::AssertSqlSafe(change)).await.unwrap();
    running.signal("USR1");
    running.wait_until("it is not ready", |_| get_port(port, "/ready").status == 503);
    assert_eq!(running.get("/items?id=eq.1").status, 200);
    assert!(
        get_port(port, "/metrics").body.contains("pgrst_schema_cache_loads_total{status=\"FAIL\"} 1.0\n")
    );
    assert!(get_port(port, "/metrics").head.contains("content-type: text/plain; charset=utf-8"));
    drop(running);
    owner.execute(sqlx::AssertSqlSafe(format!("drop owned by {login}; drop role {login}"))).await.unwrap();
    assert_eq!(found, 1);
}

#[tokio::test]
async fn a_wrong_password_ends_the_program() {
    let database = database().await;
    let server = database.owner();
    let uri = format!(
        "postgresql://?host={}&port={}&dbname={}&user=gateway_wrong_password&password=wrong",
        server.get_host(),
        server.get_port(),
        database.name
    );
    let mut running = Program::with(&database).set("PGRST_DB_URI", &uri).start(&[]);
    assert_eq!(running.wait_for_exit(), 1);
    let log = running.log();
    assert!(log.contains("Failed to establish a connection. {\"code\":\"PGRST000\""), "{log}");
    assert!(log.contains("\"message\":\"Database connection error.\""), "{log}");
    let unknown = Program::with(&database).set("PGRST_DB_URI", "host=no_host.invalid");
    let mut running = unknown.start(&[]);
    let problem = "Failed listening for database notifications on the \"pgrst\" channel. could not translate host name \"no_host.invalid\" to address:";
    running.wait_until("the unknown host is reported", |running| running.log().contains(problem));
}

/// PostgREST does not notice when a client disconnects.
#[tokio::test]
async fn an_abandoned_request_keeps_its_connection() {
    let database = database().await;
    let create =
        "create function api.wait(seconds float) returns void language sql as 'select pg_sleep(seconds)'";
    owner(&database).await.execute(create).await.unwrap();
    for (name, status) in [("postgrest", 504), ("rest-gateway", 200)] {
        let program = Program::with(&database)
            .set("PGRST_DB_POOL", "1")
            .set("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "1")
            .named(name);
        let mut running = program.serve(&[]);
        let mut stream = running.socket();
        stream.write_all(b"GET /rpc/wait?seconds=8 HTTP/1.1\r\nHost: test\r\n\r\n").unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        assert!(stream.read(&mut [0; 1]).is_err());
        drop(stream);
        assert_eq!(running.get("/items?id=eq.1").status, status, "{}", running.log());
        if status == 504 {
            assert_eq!(running.get("/items?id=eq.1").status, 504);
            let message = "Timed out acquiring connection from connection pool.";
            let logged =
                |running: &Running| lines(running).iter().filter(|line| line.contains(message)).count();
            assert_eq!(logged(&running), 1, "{}", running.log());
            running.wait_until("the second timeout is logged", |running| logged(running) == 2);
        }
    }
}

#[tokio::test]
async fn errors_can_contain_warnings() {
    let database = database().await;
    let create = "create function api.warns() returns void language plpgsql as $$ begin
        raise warning 'first'; raise notice 'not shown';
        raise warning 'second' using errcode = 'XX999', detail = 'd', hint = 'h';
        raise exception 'broken'; end $$";
    owner(&database).await.execute(create).await.unwrap();
    let often = "create function api.warns_often() returns void language plpgsql as $$ begin
        for number in 1..1000 loop raise warning 'once more'; end loop;
        raise exception 'broken'; end $$";
    owner(&database).await.execute(often).await.unwrap();
    let plain = r#"{"code":"P0001","details":null,"hint":null,"message":"broken""#;
    let warnings = r#","warnings":[{"severity":"WARNING","code":"01000","message":"first","details":null,"hint":null},{"severity":"WARNING","code":"XX999","message":"second","details":"d","hint":"h"}]}"#;
    let running = Program::with(&database).set("PGRST_DB_WARNINGS_ENABLED", "true").serve(&[]);
    assert_eq!(running.get("/rpc/warns").body, format!("{plain}{warnings}"));
    assert_eq!(running.get("/rpc/warns_often").body.matches("once more").count(), 100);
    let running = Program::with(&database).serve(&[]);
    assert_eq!(running.get("/rpc/warns").body, format!("{plain}}}"));
}

#[tokio::test]
async fn secrets_are_bytes() {
    let database = database().await;
    let binary: Vec<u8> = (128..170).collect();
    let spaces = b"  a secret with spaces at both ends  ".to_vec();
    for secret in [SECRET.as_bytes().to_vec(), binary, spaces] {
        let program = Program::with(&database);
        let path = program.path("secret");
        std::fs::write(&path, [secret.as_slice(), b"\n"].concat()).unwrap();
        let running = program.set("PGRST_JWT_SECRET", &format!("@{}", path.display())).serve(&[]);
        platform::jwt::ring_provider::install();
        let key = jsonwebtoken::EncodingKey::from_secret(&secret);
        let claims = serde_json::json!({ "role": "gateway_author" });
        let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
        let answer = running.send("/authors_only", &format!("Authorization: Bearer {token}\r\n"));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

#[tokio::test]
async fn deprecations_are_logged_and_preflight_requests_are_not() {
    let database = database().await;
    let program =
        Program::with(&database).set("PGRST_LOG_LEVEL", "info").set("PGRST_JWT_ROLE_CLAIM_KEY", ".a.b");
    let mut running = program.serve(&[]);
    let lines_of = lines(&running);
    let path = "jwt-role-claim-key=.\"a\".\"b\"`";
    for beginning in
        [format!("WARNING: The config `{path}"), format!("Update `{path} to the new JSONPath syntax")]
    {
        assert_eq!(lines_of.iter().filter(|line| line.starts_with(&beginning)).count(), 1, "{lines_of:?}");
    }
    let request = "/users?select=the_tasks:tasks(id)&tasks.order=id";
    assert_eq!(running.get(request).status, 200);
    let update =
        format!("Update filters, orders or limits that use `tasks` to `the_tasks` in `GET {request}`");
    running.wait_until("the deprecated name is logged", |running| lines(running).contains(&update));
    let mut stream = running.socket();
    let preflight = "OPTIONS /items HTTP/1.1\r\nHost: test\r\nConnection: close\r\nOrigin: http://a\r\nAccess-Control-Request-Method: POST\r\n\r\n";
    stream.write_all(preflight.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    running.signal("TERM");
    running.wait_for_exit();
    assert!(!running.log().contains("OPTIONS"), "{}", running.log());
}
