//! The test environment: the server, its accounts, and the state that each act is compared with.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use reqwest::Client;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::call::{Answer, Call};
use crate::people::People;
use crate::server::Server;
use crate::state::{Kept, Last, State};

/// Created by the first test that runs.
struct Product {
    server: Server,
    people: People,
    kept: Kept,
    /// Pairs of role and readable table.
    readable: HashSet<(String, String)>,
}

static PRODUCT: OnceCell<Product> = OnceCell::const_new();
static TURN: Mutex<()> = Mutex::const_new(());

/// Exclusive access to the environment for one test.
pub struct Stage {
    product: &'static Product,
    http: Client,
    rows: PgConnection,
    last: Last,
    ids: HashMap<String, String>,
    /// Initial contents of tables, as the service key reads them.
    untouched: BTreeMap<String, Vec<u8>>,
    _turn: MutexGuard<'static, ()>,
}

impl Stage {
    pub async fn enter() -> Self {
        let turn = TURN.lock().await;
        // Connections are bound to a test's runtime, so each test needs its own.
        let http = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
        let product = PRODUCT.get_or_init(|| Product::make(&http)).await;
        let mut rows = PgConnection::connect(&product.server.database).await.unwrap();
        // A failed test may have left changes.
        let mut last = Last::default();
        product.kept.restore(&mut rows, &mut last).await;
        Self { product, http, rows, last, ids: HashMap::new(), untouched: BTreeMap::new(), _turn: turn }
    }

    pub fn people(&self) -> &'static People {
        &self.product.people
    }

    /// Sends a call to a service (`rest/v1`, …) as a person.
    pub async fn send(&self, service: &str, call: &Call, person: &str) -> Answer {
        let server = &self.product.server;
        let base = format!("{}/{service}", server.url);
        call.send(&self.http, &base, &self.people().keys(person, &server.anon_key)).await
    }

    /// Fills the placeholders in a text: `{agency}`, `{profile of agency}` … are `tests.id()` of that name;
    /// `{me}`, `{my profile}`, `{my email}`, `{my refresh token}` belong to the actor.
    pub async fn filled(&mut self, text: &str, actor: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let name = after.split_once('}').map(|(name, _)| name).filter(|name| is_name(name));
            if let Some(name) = name {
                let value = self.value(name, actor).await;
                filled.push_str(&value);
                rest = &after[name.len() + 1..];
            } else {
                filled.push('{');
                rest = after;
            }
        }
        filled + rest
    }

    async fn value(&mut self, name: &str, actor: &str) -> String {
        let me = self.people().named(actor);
        match name {
            "me" if me.id.is_empty() => self.id(actor).await,
            "me" => me.id.clone(),
            "my profile" => self.id(&format!("profile of {actor}")).await,
            "my email" => me.email.clone(),
            "my refresh token" => me.refresh_token.clone(),
            "my other refresh token" => me.other_refresh_token.clone(),
            name => self.id(name).await,
        }
    }

    /// Looks up the id in the same way as the policy tests.
    async fn id(&mut self, name: &str) -> String {
        if let Some(known) = self.ids.get(name) {
            return known.clone();
        }
        let id: String = sqlx::query_scalar("select tests.id($1)::text")
            .bind(name)
            .fetch_one(&mut self.rows)
            .await
            .unwrap();
        self.ids.insert(name.to_owned(), id.clone());
        id
    }

    /// Runs SQL as the superuser between acts.
    pub async fn arrange(&mut self, script: &str) {
        if !script.is_empty() {
            let done = self.rows.execute(AssertSqlSafe(script)).await;
            done.unwrap_or_else(|error| panic!("{script}: {error}"));
        }
    }

    /// Whether a SQL query returns true.
    pub async fn holds(&mut self, question: &str) -> bool {
        let answer = sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(&mut self.rows).await;
        answer.unwrap_or_else(|error| panic!("{question}: {error}"))
    }

    pub fn may_read(&self, person: &str, table: &str) -> bool {
        let role = match person {
            "visitor" => "anon",
            "service" => "service_role",
            _ => "authenticated",
        };
        self.product.readable.contains(&(role.to_owned(), table.to_owned()))
    }

    /// Reads a table over HTTP with the service key.
    pub async fn look(&self, table: &str) -> Vec<u8> {
        let call = Call::parse(&format!("GET {table}"), "").unwrap();
        let answer = self.send("rest/v1", &call, "service").await;
        assert_eq!(answer.status, 200, "looking at {table}: {}", answer.summary());
        answer.body
    }

    /// Like [`Stage::look`], but from before any act.
    pub async fn untouched(&mut self, table: &str) -> Vec<u8> {
        if !self.untouched.contains_key(table) {
            let rows = self.look(table).await;
            self.untouched.insert(table.to_owned(), rows);
        }
        self.untouched[table].clone()
    }

    pub async fn now(&mut self) -> State {
        self.product.kept.now(&mut self.rows, &mut self.last).await
    }

    pub fn kept(&self) -> &'static State {
        self.product.kept.state()
    }

    pub async fn restore(&mut self) {
        self.product.kept.restore(&mut self.rows, &mut self.last).await;
    }
}

impl Product {
    async fn make(http: &Client) -> Self {
        let server = Server::start();
        let mut rows = PgConnection::connect(&server.database).await.unwrap();
        // This database need not survive a power failure.
        for statement in ["alter system set fsync = off", "select pg_reload_conf()"] {
            rows.execute(statement).await.unwrap();
        }
        let people = People::cast(&server, http, &mut rows).await;
        let readable = sqlx::query_as(
            "select role, relname from pg_class, unnest(array['anon', 'authenticated', 'service_role']) as role
             where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and has_table_privilege(role, oid, 'select')",
        )
        .fetch_all(&mut rows)
        .await
        .unwrap();
        for person in people.with_accounts() {
            let call =
                Call::parse(&format!("POST object/images/{}/picture-1.png", person.id), "png").unwrap();
            let base = format!("{}/storage/v1", server.url);
            let bearer = [("authorization", format!("Bearer {}", person.token))];
            let answer = call.with_picture().send(http, &base, &bearer).await;
            assert_eq!(answer.status, 200, "{}", answer.summary());
        }
        mails_are_settled(&mut rows).await;
        let kept = Kept::keep(&mut rows, server.blobs.clone()).await;
        Self { server, people, kept, readable: HashSet::from_iter(readable) }
    }
}

/// Waits for the mail of the approvals above, because the saved state must not change afterwards.
async fn mails_are_settled(rows: &mut PgConnection) {
    let waiting = "select exists (select from serasi.mail_outbox where sent_at is null and given_up_at is null)";
    let settling = async {
        while sqlx::query_scalar(waiting).fetch_one(&mut *rows).await.unwrap() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), settling).await.unwrap();
}

/// Distinguishes placeholders from braces in JSON.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' ')
}
