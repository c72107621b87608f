//! The configuration file that `--example` prints.

pub const EXAMPLE: &str = r#"## All settings with their defaults. Lines that begin with one # have no default or are rarely needed.
## Each setting can also be an environment variable: PGRST_DB_URI for db-uri.

## Address of the server for operators (/live, /ready, /metrics, /schema_cache). It runs only with a port or a socket.
# admin-server-host = "!4"
# admin-server-port = 3001
# admin-server-unix-socket = "/tmp/pgrst-admin.sock"
# admin-server-unix-socket-mode = "660"

## Values for current_setting('app.settings.…') in the database
# app.settings.my_key = "value"

## Errors in responses: verbose, or minimal (code and message)
client-error-verbosity = "verbose"

## Allow aggregate functions
db-aggregates-enabled = false

## Role of requests without a token. If it is unset, they are rejected.
# db-anon-role = "anon"

## Channel of the notifications 'reload schema' and 'reload config'
db-channel = "pgrst"
db-channel-enabled = true

## Read settings from the database: alter role … set pgrst.…, and those that a function sets
db-config = true
# db-pre-config = "postgrest.pre_config"

## Schemas that functions and types are looked up in, in addition to the exposed one
db-extra-search-path = "public"

## Settings of functions that apply to the whole transaction
db-hoisted-tx-settings = "statement_timeout,plan_filter.statement_cost_limit,default_transaction_isolation"

## Connection string without a pooler, for notifications and for reading the schema. If it is unset: db-uri.
# db-listen-uri = "postgresql://database/app"

## Maximum number of rows in a response
# db-max-rows = 1000

## Allow Accept: application/vnd.pgrst.plan
db-plan-enabled = false

## Connections to the database. Times are in seconds.
db-pool = 10
db-pool-acquisition-timeout = 10
db-pool-automatic-recovery = true
db-pool-max-idletime = 30
db-pool-max-lifetime = 1800

## Function that every transaction calls first
# db-pre-request = "check_request"

## Turn this off behind a connection pooler in transaction mode that does not support prepared statements
## (PgBouncer before 1.21, or with max_prepared_statements = 0)
db-prepared-statements = true

## Standbys that serve reads
# db-replica-uri = "postgresql://standby-1,standby-2/app"

## Function that serves the root path instead of the OpenAPI description
# db-root-spec = "root"

## Exposed schemas
db-schemas = "public"

## End of transactions: commit, commit-allow-override, rollback or rollback-allow-override
db-tx-end = "commit"

## Connection string, or "@file". The libpq variables (PGHOST, …) complete it.
db-uri = "postgresql://"

## Expected audience of tokens that name one
# jwt-aud = "my-api"

## Verified tokens in the cache; 0 disables it
jwt-cache-max-entries = 1000

## JSON path of the role in a token. In this file, $ is written $$.
jwt-role-claim-key = "$$.role"

## Secret of at least 32 characters, JSON Web Key, key set, or "@file"
# jwt-secret = "a secret of at least 32 characters"
jwt-secret-is-base64 = false

## Requests in the log: crit (none), error (5xx), warn (4xx), info or debug (all), optionally with their SQL
log-level = "error"
log-query = false

## OpenAPI description: follow-privileges, ignore-privileges or disabled
openapi-mode = "follow-privileges"
openapi-security-active = false
# openapi-server-proxy-uri = "https://example.com/api"

## Origins that may call the API. If it is unset, all may.
# server-cors-allowed-origins = "https://example.com"

## Address of the API: an address, or * (any), !4 (any IPv4), *4, !6 (any IPv6), *6
server-host = "!4"
server-port = 3000
server-reuseport = false

## Send a Server-Timing header
server-timing-enabled = false

## Request header that is copied to the response
# server-trace-header = "X-Request-Id"

## Socket that is used instead of host and port
# server-unix-socket = "/tmp/pgrst.sock"
# server-unix-socket-mode = "660"

## Filters may use the name of an embedded resource even if it has an alias
url-use-legacy-target-names = true
"#;
