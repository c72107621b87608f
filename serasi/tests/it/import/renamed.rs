//! A project whose tables have the same names as Serasi's.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::Executor;

use super::{Person, Project, import, report};
use crate::prepared;
use crate::product::Product;
use crate::support::refusal;

const PROFILES: &str = "
create table public.profiles (id uuid primary key references auth.users (id), number bigserial, website text);
alter table public.profiles enable row level security;
create policy own on public.profiles to authenticated using (id = (select auth.uid()));
insert into public.profiles (id, website) select id, 'public.profiles' from auth.users;
create function public.add_profile() returns trigger language plpgsql security definer set search_path to 'public' as
$$ begin insert into profiles (id) values (new.id); insert into public.countries values ('ID', 'Indonesia'); return new; end $$;
create trigger add_profile after insert on auth.users for each row execute function public.add_profile();";

#[tokio::test]
async fn public_is_imported_under_another_name() {
    let project = Project::new().await;
    project.cluster.connect().await.execute(PROFILES).await.unwrap();
    let dump = project.dump("dump.sql", &[]);
    let data_dir = prepared::data_dir();
    let data_dir = data_dir.path();
    let refused = refusal(&import(data_dir, &[&dump], &[]));
    assert!(refused.contains("(public.profiles)") && refused.contains("--schema NAME"), "{refused}");
    assert!(refusal(&import(data_dir, &[&dump], &["--schema", "app"])).contains("--schema can't be app"));
    let done = report(&import(data_dir, &[&dump], &["--schema", "shop", "--apply"]));
    assert!(done.contains("shop.profiles: 3\n") && !done.contains("public."), "{done}");
    let again = refusal(&import(data_dir, &[&dump], &["--schema", "shop"]));
    assert!(again.contains("imported already"), "{again}");

    let product = Product::start(data_dir, &[("PGRST_DB_SCHEMAS", "public,shop")]);
    let alice = Person::sign_in(&product, "alice@project.test").await.unwrap();
    let ask = async |method: Method, path: &str, body: Option<Value>| {
        let url = format!("http://127.0.0.1:{}/rest/v1/{path}", product.port);
        let mut request = alice.http.request(method, url).bearer_auth(&alice.token);
        request = request.header("accept-profile", "shop").header("content-profile", "shop");
        if let Some(body) = body {
            request = request.json(&body);
        }
        request.send().await.unwrap()
    };
    let own: Value = ask(Method::GET, "profiles?select=website", None).await.json().await.unwrap();
    assert_eq!(own, json!([{ "website": "public.profiles" }]));
    let words: Value =
        ask(Method::POST, "rpc/count_words", Some(json!({ "note": 2 }))).await.json().await.unwrap();
    assert_eq!(words, json!(1));
    let added = ask(Method::POST, "notes", Some(json!({ "body": "new" }))).await;
    assert!(added.status().is_success(), "{}", added.text().await.unwrap());
    let person =
        json!({ "email": "dan@project.test", "password": "correct horse", "data": { "nickname": "Dan" } });
    let signed_up = product.request(Method::POST, "/auth/v1/signup").json(&person).send().await.unwrap();
    assert!(signed_up.status().is_success(), "{}", signed_up.text().await.unwrap());
    let countries: Value =
        ask(Method::GET, "countries?select=code&order=code", None).await.json().await.unwrap();
    assert_eq!(countries, json!([{ "code": "ID" }, { "code": "MY" }, { "code": "SG" }]));
    // The marketplace's profiles are still in their table.
    let profiles = alice.get("/rest/v1/profiles?select=email").await;
    assert_eq!(profiles, json!([{ "email": "alice@project.test" }]));
}
