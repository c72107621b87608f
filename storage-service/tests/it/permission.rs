//! Storage's rows of the authorization matrix: who may do what in the bucket `images`.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;
use test_support::client::TestClient;
use uuid::Uuid;

use crate::support::{Service, assert_refused, delete, pixel, post};

async fn upload(client: &TestClient, key: &str) -> test_support::client::Answer {
    post(client, &format!("images/{key}"), "image/png", pixel("png")).await
}

#[tokio::test]
async fn people_can_write_only_under_their_own_id() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    let own = format!("{}/cover-1.png", ada.id);

    assert_eq!(upload(&ada.client, &own).await.status, 200);
    let owner: Option<String> = sqlx::query_scalar("select owner_id from storage.objects where name = $1")
        .bind(&own)
        .fetch_one(&service.rows)
        .await
        .unwrap();
    assert_eq!(owner, Some(ada.id.to_string()));

    for key in [
        format!("{}/b.png", ada.id),
        format!("{}x/b.png", bob.id),
        "b.png".to_owned(),
        format!("x{}/b.png", bob.id),
    ] {
        let refused = upload(&bob.client, &key).await;
        assert_refused(&refused, 403, "AccessDenied");
        assert_eq!(refused.json()["message"], "new row violates row-level security policy");
    }
    assert_refused(&upload(&bob.client, &format!("{}/../{}/b.png", bob.id, ada.id)).await, 400, "InvalidKey");
    assert_refused(&upload(&service.visitor(), &own).await, 403, "AccessDenied");
    assert_eq!(service.count_rows().await, 1);
    assert_eq!(service.blobs().len(), 1);
}

#[tokio::test]
async fn people_can_replace_only_their_own_objects() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    let own = format!("{}/a.png", ada.id);
    upload(&ada.client, &own).await;
    let before = service.nobody().get(&format!("/object/public/images/{own}")).await.body;

    let replace = |method: &str| {
        Request::builder().method(method).uri(format!("/object/images/{own}")).header("x-upsert", "true")
    };
    for method in ["POST", "PUT"] {
        assert_refused(&bob.client.send(replace(method), pixel("gif")).await, 403, "AccessDenied");
        assert_refused(&service.visitor().send(replace(method), pixel("gif")).await, 403, "AccessDenied");
    }
    assert_eq!(service.nobody().get(&format!("/object/public/images/{own}")).await.body, before);
    assert_eq!(ada.client.send(replace("PUT"), pixel("gif")).await.status, 200);
    assert_ne!(service.nobody().get(&format!("/object/public/images/{own}")).await.body, before);
}

#[tokio::test]
async fn people_can_delete_only_their_own_objects() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    let (one, two, foreign) =
        (format!("{}/1.png", ada.id), format!("{}/2.png", ada.id), format!("{}/3.png", bob.id));
    for (person, key) in [(&ada, &one), (&ada, &two), (&bob, &foreign)] {
        assert_eq!(upload(&person.client, key).await.status, 200);
    }

    let refused = delete(&bob.client, &format!("/object/images/{one}")).await;
    assert_refused(&refused, 403, "AccessDenied");
    assert_eq!(refused.json()["message"], "Access denied");
    let missing = delete(&ada.client, "/object/images/none.png").await;
    assert_refused(&missing, 404, "NoSuchKey");
    assert_eq!(service.count_rows().await, 3);

    let many = Request::delete("/object/images").header("content-type", "application/json");
    let deleted = ada.client.send(many, json!({ "prefixes": [one, foreign, "none"] }).to_string()).await;
    let names: Vec<_> = deleted.json().as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, [json!(one)], "only Ada's objects");
    assert_eq!(
        delete(&ada.client, &format!("/object/images/{two}")).await.json(),
        json!({ "message": "Successfully deleted" })
    );
    assert_eq!(service.count_rows().await, 1);
    assert_eq!(service.blobs().len(), 1);
}

#[tokio::test]
async fn listings_show_people_only_their_own_objects() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    upload(&ada.client, &format!("{}/a.png", ada.id)).await;
    let listed = async |client: &TestClient, prefix: &str| {
        let answer = client.post_json("/object/list/images", &json!({ "prefix": prefix })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json().as_array().unwrap().len()
    };
    assert_eq!(listed(&ada.client, &ada.id.to_string()).await, 1);
    assert_eq!(listed(&bob.client, &ada.id.to_string()).await, 0);
    assert_eq!(listed(&bob.client, "").await, 0);
    assert_eq!(listed(&service.visitor(), "").await, 0);
    assert_eq!(listed(&service.service(), "").await, 1);
}

#[tokio::test]
async fn people_cannot_move_or_copy_to_or_from_other_folders() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    let (hers, his) = (format!("{}/a.png", ada.id), format!("{}/b.png", bob.id));
    upload(&ada.client, &hers).await;
    upload(&bob.client, &his).await;
    for action in ["move", "copy"] {
        let path = format!("/object/{action}");
        let take =
            json!({ "bucketId": "images", "sourceKey": hers, "destinationKey": format!("{}/c.png", bob.id) });
        assert_refused(&bob.client.post_json(&path, &take).await, 404, "NoSuchKey");
        let give =
            json!({ "bucketId": "images", "sourceKey": his, "destinationKey": format!("{}/c.png", ada.id) });
        assert_refused(&bob.client.post_json(&path, &give).await, 403, "AccessDenied");
    }
    assert_eq!(service.count_rows().await, 2);
}

#[tokio::test]
async fn people_can_sign_uploads_only_for_themselves() {
    let service = Service::start().await;
    let (ada, bob) = (service.person().await, service.person().await);
    let path = format!("/object/upload/sign/images/{}/a.png", ada.id);
    assert_eq!(ada.client.post_json(&path, &json!({})).await.status, 200);
    assert_refused(&bob.client.post_json(&path, &json!({})).await, 403, "AccessDenied");
    assert_refused(&service.visitor().post_json(&path, &json!({})).await, 403, "AccessDenied");
}

#[tokio::test]
async fn only_the_service_key_can_manage_buckets() {
    let service = Service::start().await;
    let person = service.person().await.client;
    assert_refused(&person.post_json("/bucket", &json!({ "name": "mine" })).await, 403, "AccessDenied");
    assert_refused(
        &person.put_json("/bucket/images", &json!({ "public": false })).await,
        404,
        "NoSuchBucket",
    );
    assert_refused(&delete(&person, "/bucket/images").await, 404, "NoSuchBucket");
    let emptied = person.post_json("/bucket/images/empty", &json!({})).await;
    assert_eq!(
        (emptied.status.as_u16(), emptied.json()["message"].as_str()),
        (403, Some("Access denied: Invalid role"))
    );
    assert_eq!(service.service().get("/bucket/images").await.json()["public"], true);
}

#[tokio::test]
async fn invalid_tokens_are_refused() {
    let service = Service::start().await;
    let ada = service.person().await;
    let (anon, token) = (test_support::person::anon_key(), service.token(ada.id));
    let tampered = format!(
        "{}.{}.{}",
        token.split('.').next().unwrap(),
        anon.split('.').nth(1).unwrap(),
        token.split('.').nth(2).unwrap()
    );
    let no_role =
        test_support::person::keys().sign(&json!({ "sub": ada.id, "exp": 9_999_999_999_i64 })).unwrap();
    let owner = test_support::person::keys()
        .sign(&json!({ "role": "serasi_owner", "exp": 9_999_999_999_i64 }))
        .unwrap();
    for (token, message) in [
        ("", "Invalid Compact JWS"),
        ("garbage", "Invalid Compact JWS"),
        (&tampered, "signature verification failed"),
        (&no_role, "Access denied: Invalid role"),
        (&owner, "Access denied: Invalid role"),
    ] {
        let answer = upload(&service.nobody().with_token(token), "a.png").await;
        assert_refused(&answer, 403, "AccessDenied");
        assert_eq!(answer.json()["message"], message);
    }
    let none = service.nobody().send(Request::get("/bucket"), Body::empty()).await;
    assert_refused(&none, 400, "InvalidRequest");
    assert_eq!(none.json()["message"], "headers must have required property 'authorization'");
    // Supabase's clients know the error of its gateway, which adds an empty token.
    let client = Request::get("/bucket").header("x-client-info", "storage-js/2.119.1");
    assert_eq!(service.nobody().send(client, Body::empty()).await.json()["message"], "Invalid Compact JWS");

    service.clock.advance(chrono::TimeDelta::seconds(3600 + 31));
    let expired = upload(&ada.client, &format!("{}/a.png", ada.id)).await;
    assert_refused(&expired, 403, "AccessDenied");
    assert_eq!(expired.json()["message"], "\"exp\" claim timestamp check failed");
}

#[tokio::test]
async fn an_insert_policy_alone_allows_adding() {
    let service = Service::start().await;
    service.make_bucket("inbox", json!({})).await;
    sqlx::raw_sql(
        "create policy \"test: add\" on storage.objects for insert to authenticated with check (bucket_id = 'inbox')",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let person = service.person().await.client;
    assert_eq!(post(&person, "inbox/a", "text/plain", "x").await.status, 200);
    assert_refused(&post(&person, "inbox/a", "text/plain", "x").await, 409, "KeyAlreadyExists");
    // Replacing also needs policies for select and update.
    let replace = Request::put("/object/inbox/a");
    assert_refused(&person.send(replace, "y").await, 403, "AccessDenied");
    assert_refused(&person.get("/object/inbox/a").await, 404, "NoSuchKey");
}

#[tokio::test]
async fn only_the_picture_bucket_hides_its_root() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    service.open_to_all("papers").await;
    let ada = service.person().await;
    post(&service.service(), "papers/a/b", "text/plain", "x").await;
    upload(&ada.client, &format!("{}/a.png", ada.id)).await;
    let listed = async |path: &str| ada.client.post_json(path, &json!({ "prefix": "" })).await.json();
    assert_eq!(listed("/object/list/papers").await[0]["name"], "a");
    assert_eq!(listed("/object/list-v2/papers").await["objects"][0]["name"], "a/b");
    assert_eq!(listed("/object/list/images").await, json!([]));
    assert_eq!(listed("/object/list-v2/images").await["objects"], json!([]));
}

#[tokio::test]
async fn a_token_writes_nothing_once_its_account_is_closed() {
    let service = Service::start().await;
    let no_account = Uuid::new_v4();
    let client = service.nobody().with_token(service.token(no_account));
    assert_refused(&upload(&client, &format!("{no_account}/a.png")).await, 403, "AccessDenied");

    for closing in [
        "delete from auth.users where id = $1",
        "update auth.users set deleted_at = now() where id = $1",
        "update auth.users set banned_until = now() + interval '1 minute' where id = $1",
    ] {
        let ada = service.person().await;
        let key = |name: &str| format!("{}/{name}.png", ada.id);
        assert_eq!(upload(&ada.client, &key("a")).await.status, 200);
        let sign = format!("/object/upload/sign/images/{}", key("signed"));
        let signed = ada.client.post_json(&sign, &json!({})).await.json()["url"].as_str().unwrap().to_owned();
        let before = (service.count_rows().await, service.blobs().len());
        sqlx::query(closing).bind(ada.id).execute(&service.rows).await.unwrap();

        let replace = Request::put(format!("/object/images/{}", key("a"))).header("x-upsert", "true");
        let transfer =
            json!({ "bucketId": "images", "sourceKey": key("a"), "destinationKey": key("elsewhere") });
        for refused in [
            upload(&ada.client, &key("b")).await,
            ada.client.send(replace, pixel("gif")).await,
            ada.client.post_json(&sign, &json!({})).await,
            service.nobody().send(Request::put(&signed), pixel("png")).await,
        ] {
            assert_refused(&refused, 403, "AccessDenied");
        }
        // It no longer sees the object that it would copy.
        assert_refused(&ada.client.post_json("/object/copy", &transfer).await, 404, "NoSuchKey");
        assert_eq!(ada.client.post_json("/object/move", &transfer).await.status, 400);
        let listed = ada.client.post_json("/object/list/images", &json!({ "prefix": ada.id })).await;
        assert_eq!(listed.json(), json!([]), "{closing}");
        delete(&ada.client, &format!("/object/images/{}", key("a"))).await;
        assert_eq!((service.count_rows().await, service.blobs().len()), before, "{closing}");
    }
}
