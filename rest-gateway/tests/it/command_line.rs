//! PostgREST's command line and configuration file.

use serde_json::Value;
use sqlx::Executor;

use crate::program::{Program, free_port};
use crate::support::database;

/// A dump of the defaults.
const DEFAULTS: &str = include_str!("../fixtures/defaults.conf");

/// A dump of every setting with a value that is not its default.
const EVERYTHING: &str = include_str!("../fixtures/everything.conf");

/// The environment variable and the value of a line.
fn variable(line: &str) -> (String, String) {
    let (key, value) = line.split_once(" = ").unwrap();
    let text = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let value = text.unwrap_or(value).replace("\\\"", "\"").replace("$$", "$");
    let name = match key.strip_prefix("app.settings.") {
        Some(key) => format!("PGRST_APP_SETTINGS_{key}"),
        None => format!("PGRST_{}", key.replace('-', "_").to_ascii_uppercase()),
    };
    (name, value)
}

#[test]
fn information_is_printed_without_a_database() {
    let program = Program::new();
    for (short, long, text) in [
        ("-h", "--help", "--dump-config"),
        ("-v", "--version", "PostgREST 16"),
        ("-e", "--example", "db-uri"),
    ] {
        assert_eq!(program.prints(&[short]), program.prints(&[long]));
        assert!(program.prints(&[long]).contains(text), "{long}");
    }
    assert!(program.fails(&["--nonsense"]).contains("Usage: postgrest"));
    assert!(
        program
            .fails(&["does-not-exist.conf"])
            .starts_with("postgrest: Error in config does-not-exist.conf: ")
    );
    let invalid = program.file("invalid.conf", "db-uri = nonsense");
    assert!(program.fails(&["--dump-config", &invalid]).contains("line 1"));
}

#[test]
fn the_dump_has_postgrests_format_and_defaults() {
    let program = Program::new().set("PGRST_DB_CONFIG", "false");
    assert_eq!(program.prints(&["--dump-config"]), DEFAULTS);
    let example = program.file("example.conf", &program.prints(&["--example"]));
    assert_eq!(program.prints(&["--dump-config", &example]), DEFAULTS);
}

#[test]
fn every_setting_can_come_from_the_file_or_the_environment() {
    let program = Program::new();
    let file = program.file("everything.conf", EVERYTHING);
    assert_eq!(program.prints(&["--dump-config", &file]), EVERYTHING);
    let program =
        EVERYTHING.lines().map(variable).fold(program, |program, (name, value)| program.set(&name, &value));
    assert_eq!(program.prints(&["--dump-config"]), EVERYTHING);
    let defaults = program.file("defaults.conf", DEFAULTS);
    assert_eq!(
        program.prints(&["--dump-config", &defaults]),
        EVERYTHING,
        "the environment overrides the file"
    );
}

#[test]
fn deprecated_names_work_in_the_file() {
    let program = Program::new().set("PGRST_DB_CONFIG", "false");
    let file = program.file(
        "aliases.conf",
        "db-schema = \"via_alias\"\ndb-pool-timeout = 5\nmax-rows = 1000\npre-request = \"check_alias\"\n\
         role-claim-key = \"$$.aliased\"\nroot-spec = \"open_alias\"\nsecret-is-base64 = true\nunknown = 1\n",
    );
    let dump = program.prints(&["--dump-config", &file]);
    for line in [
        "db-schemas = \"via_alias\"",
        "db-pool-max-idletime = 5",
        "db-max-rows = 1000",
        "db-pre-request = \"check_alias\"",
        "jwt-role-claim-key = \"$$.aliased\"",
        "db-root-spec = \"open_alias\"",
        "jwt-secret-is-base64 = true",
    ] {
        assert!(dump.lines().any(|found| found == line), "{line}: {dump}");
    }
}

/// A misspelled setting is an error, unless the program is named `postgrest`.
#[test]
fn unknown_settings_are_ignored_under_postgrests_name() {
    let program = Program::new().set("PGRST_DB_CONFIG", "false").set("PGRST_NOT_EXISTING", "x");
    assert_eq!(program.prints(&["--dump-config"]), DEFAULTS);
    std::fs::rename(program.path("postgrest"), program.path("rest-gateway")).unwrap();
    let output = std::process::Command::new(program.path("rest-gateway"))
        .arg("--dump-config")
        .env("PGRST_NOT_EXISTING", "x")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error, "rest-gateway: Error in config PGRST_NOT_EXISTING: is not a setting of the gateway\n");
    let program = Program::new().set("GATEWAY_NOT_EXISTING", "x");
    assert!(program.fails(&["--dump-config"]).contains("GATEWAY_NOT_EXISTING"));
}

#[test]
fn secrets_and_addresses_can_be_in_files() {
    let program = Program::new().set("PGRST_DB_CONFIG", "false").set("OWN", "x y");
    let secret = program.file("secret", "a secret that has more than 32 bytes\n");
    let uri = program.file("uri", " postgres://db.example/mine \n");
    let text = format!("jwt-secret = \"@{secret}\"\ndb-uri = \"@{uri}\"\napp.settings.own = \"$(OWN)$$\"");
    let dump = program.prints(&["--dump-config", &program.file("files.conf", &text)]);
    assert!(dump.contains("jwt-secret = \"a secret that has more than 32 bytes\"\n"), "{dump}");
    assert!(dump.contains("db-uri = \"postgres://db.example/mine\"\n"), "{dump}");
    assert!(dump.contains("app.settings.own = \"x y$\"\n"), "{dump}");
}

#[test]
fn invalid_settings_are_reported_as_postgrest_does() {
    for (name, value, message) in [
        ("PGRST_JWT_ROLE_CLAIM_KEY", "role.other", "failed to parse role-claim-key value (role.other)"),
        ("PGRST_OPENAPI_MODE", "follow-", "Invalid openapi-mode. Check your configuration."),
        ("PGRST_JWT_AUD", "foo://%%$$^^.com", "jwt-aud should be a string or a valid URI"),
        ("PGRST_JWT_SECRET", "short_secret", "The JWT secret must be at least 32 characters long."),
        ("PGRST_CLIENT_ERROR_VERBOSITY", "x", "Invalid client-error-verbosity. Check your configuration."),
        ("PGRST_DB_SCHEMAS", "public, pg_catalog", "db-schemas does not allow schema: 'pg_catalog'"),
        ("PGRST_ADMIN_SERVER_PORT", "3000", "admin-server-port cannot be the same as server-port"),
        ("PGRST_LOG_LEVEL", "never", "Invalid logging level. Check your configuration."),
        ("PGRST_DB_TX_END", "random", "Invalid transaction termination. Check your configuration."),
        ("PGRST_OPENAPI_SERVER_PROXY_URI", "htp:/@@h", "Malformed proxy uri"),
        ("PGRST_SERVER_UNIX_SOCKET_MODE", "778", "PGRST_SERVER_UNIX_SOCKET_MODE"),
    ] {
        let error = Program::new().set(name, value).fails(&["--dump-config"]);
        assert!(error.starts_with("postgrest: Error in config ") && error.contains(message), "{error}");
    }
}

#[tokio::test]
async fn settings_in_the_database_override_the_file() {
    let database = database().await;
    let name = &database.name;
    // A separate role, because a role's settings apply to all databases.
    let role = format!("{name}_login");
    let setup = format!(
        r#"
        create role {role} login noinherit password 'test-login';
        alter role {role} set pgrst.db_schemas = 'one, two';
        alter role {role} set pgrst.db_max_rows = '500';
        alter role {role} set pgrst.db_pool = '99';
        alter role {role} set pgrst.not_existing = 'ignored';
        alter role {role} in database {name} set pgrst.db_max_rows = '7';
        create schema config;
        grant usage on schema config to {role};
        create function config."select"() returns void language plpgsql as $$ begin
          perform set_config('pgrst.db_max_rows', '1', true), set_config('pgrst.jwt_aud', 'of-function', false);
        end $$;
        "#
    );
    let mut owner = sqlx::ConnectOptions::connect(&database.owner()).await.unwrap();
    let owner: &mut sqlx::PgConnection = &mut owner;
    owner.execute(sqlx::AssertSqlSafe(setup)).await.unwrap();
    let server = database.owner();
    let program = Program::new()
        .set("PGHOST", server.get_host())
        .set("PGPORT", &server.get_port().to_string())
        .set("PGDATABASE", name)
        .set("PGUSER", &role)
        .set("PGPASSWORD", "test-login");
    let file =
        program.file("a.conf", "db-max-rows = 3\ndb-schemas = \"three\"\ndb-pre-config = \"config.select\"");
    let dump = program.prints(&["--dump-config", &file]);
    for line in ["db-schemas = \"one,two\"", "db-max-rows = 7", "db-pool = 10", "jwt-aud = \"of-function\""] {
        assert!(dump.lines().any(|found| found == line), "{line}: {dump}");
    }
    let program = program.set("PGRST_DB_CONFIG", "false");
    let dump = program.prints(&["--dump-config", &file]);
    assert!(dump.contains("db-max-rows = 3\n") && dump.contains("jwt-aud = \"\"\n"), "{dump}");
    // Without a database the dump is still printed.
    let program = program.set("PGRST_DB_CONFIG", "true").set("PGPORT", "9").set("PGHOST", "127.0.0.1");
    let output = program.run(&["--dump-config", &file]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Failed to query database settings"));
    owner.execute(sqlx::AssertSqlSafe(format!("drop owned by {role}; drop role {role}"))).await.unwrap();
}

#[tokio::test]
async fn the_schema_is_dumped_as_json() {
    let database = database().await;
    let program = Program::with(&database);
    let dump: Value = serde_json::from_str(&program.prints(&["--dump-schema"])).unwrap();
    let tables = dump["dbTables"].as_array().unwrap();
    let named = |name: &str| tables.iter().find(|table| table[0]["qiName"] == name).unwrap();
    assert_eq!(named("items")[1]["tablePKCols"], serde_json::json!(["id"]));
    assert_eq!(named("items")[1]["tableColumns"]["id"]["colType"], "bigint");
    let any = serde_json::json!([
        [{ "tag": "RelAnyElement" }, { "tag": "MTGeoJSON" }],
        [{ "tag": "BuiltinOvAggGeoJson" }, { "tag": "MTGeoJSON" }],
    ]);
    assert_eq!(dump["dbMediaHandlers"][0], any);
    let key = r#""dbTables":[[{"qiName":""#;
    assert!(program.prints(&["--dump-schema"]).contains(key), "qiName comes first");
    for key in ["dbRelationships", "dbRoutines", "dbRepresentations", "dbMediaHandlers"] {
        assert!(!dump[key].as_array().unwrap().is_empty(), "{key}");
    }
    let program = program.set("PGRST_DB_URI", "postgres://nobody@127.0.0.1:9/nothing");
    assert!(
        program.fails(&["--dump-schema"]).contains("Failed to load the schema cache using db-schemas=api")
    );
}

#[tokio::test]
async fn ready_asks_a_running_gateway() {
    let database = database().await;
    let port = free_port();
    let program = Program::with(&database)
        .set("PGRST_SERVER_HOST", "127.0.0.1")
        .set("PGRST_ADMIN_SERVER_PORT", &port.to_string());
    let asking = |name: &str, value: &str| {
        let asking = Program::with(&database)
            .set("PGRST_SERVER_HOST", "127.0.0.1")
            .set("PGRST_ADMIN_SERVER_PORT", &port.to_string());
        if name.is_empty() { asking } else { asking.unset(name).set(name, value) }
    };
    let url = format!("http://127.0.0.1:{port}/ready");
    assert_eq!(asking("", "").fails(&["--ready"]), format!("ERROR: connection refused to {url}\n"));
    let mut running = program.serve(&[]);
    running.wait_until("it is ready", |_| asking("", "").run(&["--ready"]).status.success());
    assert_eq!(asking("", "").prints(&["--ready"]), format!("OK: {url}\n"));
    std::fs::remove_file(running.program.path("api.sock")).unwrap();
    assert_eq!(asking("", "").fails(&["--ready"]), format!("ERROR: {url}\n"));
    for (name, value, message) in [
        (
            "PGRST_ADMIN_SERVER_PORT",
            "",
            "Admin server is not running. Please check admin-server-port config.",
        ),
        ("PGRST_ADMIN_SERVER_PORT", "-1", "invalid url - http://127.0.0.1:-1/ready"),
        (
            "PGRST_SERVER_HOST",
            "*4",
            "The `--ready` flag cannot be used when server-host is configured as \"*4\". Please update your \
             server-host config to \"localhost\".",
        ),
    ] {
        assert_eq!(asking(name, value).fails(&["--ready"]), format!("ERROR: {message}\n"));
    }
}
