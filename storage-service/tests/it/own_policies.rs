//! Policies, triggers and constraints of the operator's own: what they allow, and how their errors are reported.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::support::{Service, delete, post};

async fn with_bucket() -> Service {
    let service = Service::start().await;
    service.make_bucket("shots", json!({ "public": true })).await;
    service
}

async fn run(service: &Service, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&service.rows).await.unwrap();
}

#[tokio::test]
async fn a_policy_for_visitors_lets_them_use_a_bucket() {
    let service = with_bucket().await;
    let refused = post(&service.visitor(), "shots/a/b.txt", "text/plain", "x").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["statusCode"]), (400, &json!("403")));
    run(
        &service,
        "grant select, insert, update, delete on storage.objects to anon;
         create policy own on storage.objects to anon using (bucket_id = 'shots') with check (bucket_id = 'shots')",
    )
    .await;
    let visitor = service.visitor();
    let stored = post(&visitor, "shots/a/b.txt", "text/plain", "x").await;
    assert_eq!(stored.status, 200, "{}", stored.text());
    let replace = Request::put("/object/shots/a/b.txt").header("content-type", "text/plain");
    assert_eq!(visitor.send(replace, "y").await.status, 200);
    let listed = visitor.post_json("/object/list/shots", &json!({ "prefix": "a" })).await;
    assert_eq!(listed.json()[0]["name"], "b.txt", "{}", listed.text());
    assert_eq!(delete(&visitor, "/object/shots/a/b.txt").await.status, 200);
}

/// As from another issuer, for example Firebase.
#[tokio::test]
async fn a_token_whose_subject_is_no_uuid_sees_nothing_of_its_own() {
    let service = with_bucket().await;
    service.open_to_all("shots").await;
    let now = service.clock.now().timestamp();
    let claims = json!({ "sub": "firebase-7", "role": "authenticated", "iat": now, "exp": now + 3600 });
    let client = service.nobody().with_token(test_support::person::keys().sign(&claims).unwrap());
    assert_eq!(post(&client, "shots/a.txt", "text/plain", "x").await.status, 200);
    for (bucket, count) in [("shots", 1), ("images", 0)] {
        for path in ["list", "list-v2"] {
            let path = format!("/object/{path}/{bucket}");
            let listed = client.post_json(&path, &json!({ "prefix": "" })).await;
            assert_eq!(listed.status, 200, "{path}: {}", listed.text());
            let objects = listed.json();
            let objects = if objects.is_array() { &objects } else { &objects["objects"] };
            assert_eq!(objects.as_array().unwrap().len(), count, "{path}: {}", listed.text());
        }
    }
    let refused = post(&client, "images/firebase-7/a.png", "image/png", crate::support::pixel("png")).await;
    assert_eq!(refused.json()["code"], "AccessDenied", "{}", refused.text());
}

/// The codes and messages of Supabase's storage service.
#[tokio::test]
async fn errors_of_the_database_are_reported_as_what_they_are() {
    let service = with_bucket().await;
    let own = |name: &str, body: &str| {
        format!(
            "create function public.{name}() returns trigger language plpgsql as $$ begin {body} return new; end $$;
             create trigger own before insert on storage.objects for each row
             when (current_user = 'authenticated') execute function public.{name}();"
        )
    };
    let person = service.person().await.client;
    service.open_to_all("shots").await;
    let policy = "create policy own on storage.objects as restrictive for insert to authenticated with check";
    for (case, sql, status, code, message) in [
        ("22P02", format!("{policy} (name::uuid is null)"), 400, "InvalidParameter", "invalid input syntax for type uuid: \"a.txt\""),
        ("42P17", "create policy own on storage.objects to authenticated using (exists (select from storage.objects))".to_owned(), 503,
         "DatabaseInvalidObjectDefinition", "The database schema is invalid or incompatible."),
        ("42P01", own("reads_nothing", "perform from public.nothing;"), 503, "DatabaseSchemaMismatch",
         "The database schema is out of sync. Please run migrations or contact support."),
        ("P0001", own("refuses", "raise 'a secret';"), 500, "DatabaseError", "database error, code: P0001"),
        ("23514", "alter table storage.objects add constraint own check (name <> 'a.txt');".to_owned(), 500, "DatabaseError",
         "database error, code: 23514"),
        ("23503 in a trigger", "create table public.kinds (id int primary key); create table public.notes (kind int references public.kinds);
            grant insert on public.notes to authenticated; create policy own on public.notes for insert to authenticated with check (true);"
            .to_owned() + &own("notes", "insert into public.notes values (1);"), 404, "InvalidRequest", "The related resource does not exist"),
    ] {
        run(&service, &sql).await;
        let answer = post(&person, "shots/a.txt", "text/plain", "x").await;
        let http = if status == 500 { 500 } else { 400 };
        assert_eq!(answer.status, http, "{case}: {}", answer.text());
        let wanted = json!({ "statusCode": status.to_string(), "error": code, "message": message, "code": code });
        assert_eq!(answer.json(), wanted, "{case}");
        run(
            &service,
            "drop policy if exists own on storage.objects; drop trigger if exists own on storage.objects;
             alter table storage.objects drop constraint if exists own",
        )
        .await;
    }
}

#[tokio::test]
async fn a_referenced_object_is_not_deleted() {
    let service = with_bucket().await;
    let stored = post(&service.service(), "shots/a.txt", "text/plain", "x").await;
    assert_eq!(stored.status, 200, "{}", stored.text());
    run(
        &service,
        "create table public.papers (object_id uuid references storage.objects);
         insert into public.papers select id from storage.objects",
    )
    .await;
    let many = Request::delete("/object/shots").header("content-type", "application/json");
    let many = service.service().send(many, json!({ "prefixes": ["a.txt"] }).to_string()).await;
    let one = service.service().send(Request::delete("/object/shots/a.txt"), Body::empty()).await;
    for answer in [one, many] {
        let body = answer.json();
        assert_eq!((answer.status.as_u16(), &body["statusCode"]), (400, &json!("409")), "{body}");
        assert_eq!(body["code"], "ResourceReferenced");
        let message = body["message"].as_str().unwrap();
        assert!(message.contains("is still referenced from table \"papers\""), "{message}");
    }
    let missing = post(&service.service(), "none/a.txt", "text/plain", "x").await;
    assert_eq!(missing.json()["code"], "NoSuchBucket");
}
