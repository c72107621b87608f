//! The e-mails of enquiries, applications and reports, as an SMTP server receives them. Everything happens through the
//! API, each link is followed as its reader, and the schedule runs again after each step and must send
//! nothing.

mod applications;
mod enquiries;
mod following;
mod reports;

use rest_gateway::{Config, Gateway};
use serde_json::{Value, json};
use test_support::client::TestClient;
use test_support::person::{anon_key, service_key, token_of};
use test_support::smtp_server::SmtpServer;
use test_support::waiting::eventually;
use uuid::Uuid;

use crate::support::{Outbox, Workers};

/// An account and its profile, which has the same id.
pub struct Person {
    pub id: Uuid,
    pub email: String,
    pub api: TestClient,
}

/// An e-mail that is expected.
pub struct Expected<'a> {
    pub to: &'a str,
    pub subject: &'a str,
    /// Texts that both parts contain.
    pub says: &'a [&'a str],
    /// The path of the button's link; a token is `{token}`.
    pub link: String,
    /// Who follows the link.
    pub reader: &'a TestClient,
    /// The kind of e-mail to unsubscribe from. Guests, and recipients of admins' decisions, can't
    /// unsubscribe.
    pub kind: Option<&'static str>,
}

pub struct Marketplace {
    pub outbox: Outbox,
    pub guest: TestClient,
    service: TestClient,
    server: SmtpServer,
    _worker: Workers,
    _gateway: Gateway,
}

impl Marketplace {
    pub async fn open() -> Self {
        let server = SmtpServer::with_plan("").await;
        let outbox = Outbox::to(&server.url()).await;
        let gateway = rest_gateway::start(Config::from_env(&outbox.gateway_settings().await).unwrap()).await;
        let gateway = gateway.unwrap();
        let api = TestClient::new(gateway.router());
        eventually("the gateway answers", async || {
            api.with_token(anon_key()).get("/agencies?limit=1").await.status.is_success()
        })
        .await;
        Self {
            guest: api.with_token(anon_key()),
            service: api.with_token(service_key()),
            _worker: outbox.worker(),
            server,
            outbox,
            _gateway: gateway,
        }
    }

    /// An approved and verified influencer.
    pub async fn influencer(&self, name: &str) -> Person {
        let add = "insert into app.influencers (id, user_id, name, username, category, approved, badge_type)
            values ($1, $1, $2, $2, 'Travel', true, 'blue')";
        self.person(name, "influencer", add).await
    }

    pub async fn agency(&self, name: &str) -> Person {
        let add =
            "insert into app.agencies (id, user_id, name, email) values ($1, $1, $2, 'office@example.test')";
        self.person(name, "agency", add).await
    }

    /// An account with a marketplace role but no profile.
    pub async fn admin(&self) -> Person {
        self.person("admin", "admin", "select from app.profiles where id = $1 and email <> $2").await
    }

    async fn person(&self, name: &str, role: &str, profile: &'static str) -> Person {
        let (id, email) = (Uuid::new_v4(), format!("{}@example.test", name.to_lowercase()));
        let account =
            "insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
            values ($1, $2, now(), jsonb_build_object('user_type', $3::text), jsonb_build_object('marketplace_role', $3::text))";
        sqlx::query(account).bind(id).bind(&email).bind(role).execute(&self.outbox.rows).await.unwrap();
        sqlx::query(profile).bind(id).bind(name).execute(&self.outbox.rows).await.unwrap();
        let api = self.guest.with_token(token_of(id, &email));
        Person { id, email, api }
    }

    /// Sends a brief, as the function `enquiries` does. Without a sender, it is Mei's.
    pub async fn send_brief(&self, sender: Option<&Person>, to: &[&Person]) -> Vec<Uuid> {
        let brief = json!({
            "sender": sender.map(|sender| sender.id), "client": "203.0.113.7", "name": "Mei", "email": "mei@example.test",
            "influencer_ids": to.iter().map(|person| person.id).collect::<Vec<_>>(),
            "deliverables": "Raya reel", "message": "Would you show our new menu?",
        });
        let sent = called(&self.service, "/rpc/send_enquiries", &brief).await;
        let id = |enquiry: &Value| enquiry["id"].as_str().unwrap().parse().unwrap();
        sent["enquiries"].as_array().unwrap().iter().map(id).collect()
    }

    /// Backdates a row.
    pub async fn run(&self, statement: &'static str, id: Uuid) {
        let done = sqlx::query(statement).bind(id).execute(&self.outbox.rows).await.unwrap();
        assert_eq!(done.rows_affected(), 1, "{statement}");
    }

    /// Runs the schedule, as the functions do every minute.
    pub async fn tick(&self) {
        let failures: Option<Vec<String>> =
            sqlx::query_scalar("select app.tick()").fetch_one(&self.outbox.rows).await.unwrap();
        assert_eq!(failures, Some(Vec::new()));
    }

    /// Within an hour, repeated notifications are merged, which would hide a repetition.
    async fn forget_last_hour(&self) {
        let age = "update app.notices set created_at = created_at - interval '2 hours'";
        sqlx::query(age).execute(&self.outbox.rows).await.unwrap();
    }

    async fn queued(&self) -> i64 {
        sqlx::query_scalar("select count(*) from serasi.mail_outbox")
            .fetch_one(&self.outbox.rows)
            .await
            .unwrap()
    }

    /// Reads these e-mails and no others, and returns the tokens of their links.
    pub async fn mails<const N: usize>(&mut self, expected: [Expected<'_>; N]) -> [String; N] {
        let mut mails = Vec::new();
        for _ in 0..N {
            mails.push(self.server.next("accepted").await);
        }
        let queued = self.queued().await;
        self.forget_last_hour().await;
        self.tick().await;
        assert_eq!(self.queued().await, queued, "a second run sends nothing");
        assert_eq!(self.server.rest(), Vec::<Value>::new());
        let mut tokens = Vec::new();
        for expected in expected {
            let index = mails.iter().position(|mail| {
                mail["to"] == json!([expected.to]) && mail["headers"]["subject"] == expected.subject
            });
            let told = || mails.iter().map(|mail| format!("{} {}", mail["to"], mail["headers"]["subject"]));
            let index = index
                .unwrap_or_else(|| panic!("no {} in {:?}", expected.subject, told().collect::<Vec<_>>()));
            tokens.push(self.read(&mails.swap_remove(index), &expected).await);
        }
        tokens.try_into().unwrap()
    }

    async fn read(&self, mail: &Value, expected: &Expected<'_>) -> String {
        let subject = expected.subject;
        assert_eq!(mail["type"], "multipart/alternative", "{subject}");
        let html = following::unescaped(mail["parts"]["text/html"].as_str().unwrap());
        let text = mail["parts"]["text/plain"].as_str().unwrap();
        let (link, token) = following::button(&html, &expected.link);
        assert!(html.contains(subject), "{subject}");
        for words in expected.says.iter().copied().chain([link.as_str()]) {
            assert!(html.contains(words) && text.contains(words), "{subject} says: {words}\n{text}");
        }
        following::follow(&link, expected.reader).await;
        let headers = &mail["headers"];
        let Some(kind) = expected.kind else {
            assert!(headers.get("list-unsubscribe").is_none(), "{subject}");
            assert!(!text.contains("nsubscribe") && !html.contains("nsubscribe"), "{subject}");
            return token;
        };
        assert_eq!(headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click", "{subject}");
        let one_click = headers["list-unsubscribe"].as_str().unwrap();
        let stop = one_click.strip_prefix("<https://serasi.test/functions/v1/unsubscribe?token=").unwrap();
        let stop = stop.strip_suffix('>').unwrap();
        let page = format!("https://serasi.test/unsubscribe?token={stop}&kind={kind}");
        assert!(html.contains(&page) && text.contains(&page), "{subject}");
        self.unsubscribe(stop, kind).await;
        token
    }

    /// Follows the unsubscribe link, and undoes it for the following e-mails.
    async fn unsubscribe(&self, token: &str, kind: &str) {
        assert_eq!(called(&self.service, "/rpc/unsubscribe", &json!({ "token": token })).await, kind);
        let off = "delete from app.notification_settings where kind = $1 and delivery = 'off'";
        let settings = sqlx::query(off).bind(kind).execute(&self.outbox.rows).await.unwrap();
        assert_eq!(settings.rows_affected(), 1);
    }
}

/// The JSON of a successful call.
pub async fn called(api: &TestClient, path: &str, body: &Value) -> Value {
    let answer = api.post_json(path, body).await;
    assert!(answer.status.is_success(), "{path}: {} {}", answer.status, answer.text());
    answer.json()
}
