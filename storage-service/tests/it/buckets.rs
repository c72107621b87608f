use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::support::{Service, assert_refused, delete, post};

#[tokio::test]
async fn a_bucket_is_created_read_and_changed() {
    let service = Service::start().await;
    let client = service.service();
    let made = client
        .post_json("/bucket", &json!({ "name": "shots", "public": true, "file_size_limit": "20mb", "allowed_mime_types": ["image/*"] }))
        .await;
    assert_eq!((made.status.as_u16(), made.json()), (200, json!({ "name": "shots" })));

    let mut bucket = client.get("/bucket/shots").await.json();
    for member in ["created_at", "updated_at"] {
        let time = bucket[member].take();
        let time = time.as_str().unwrap();
        assert!(time.len() == 24 && time.ends_with('Z') && time.as_bytes()[19] == b'.', "{time}");
    }
    let expected = json!({
        "id": "shots", "name": "shots", "owner": "", "public": true, "file_size_limit": 20_000_000,
        "allowed_mime_types": ["image/*"], "created_at": null, "updated_at": null,
    });
    assert_eq!(bucket, expected);

    let changed = client
        .put_json("/bucket/shots", &json!({ "id": "shots", "public": false, "file_size_limit": null }))
        .await;
    assert_eq!(changed.json(), json!({ "message": "Successfully updated" }));
    let bucket = client.get("/bucket/shots").await.json();
    assert_eq!((&bucket["public"], &bucket["file_size_limit"]), (&json!(false), &Value::Null));
    assert_eq!(bucket["allowed_mime_types"], json!(["image/*"]), "fields that the request omits stay");
}

#[tokio::test]
async fn buckets_are_listed_in_pages() {
    let service = Service::start().await;
    for name in ["beta", "alpha", "gamma"] {
        service.make_bucket(name, json!({})).await;
    }
    let names = async |query: &str| -> Vec<String> {
        let answer = service.service().get(&format!("/bucket{query}")).await.json();
        answer.as_array().unwrap().iter().map(|bucket| bucket["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("").await, ["alpha", "beta", "gamma", "images"]);
    assert_eq!(names("?sortColumn=name&sortOrder=desc&limit=2&offset=1").await, ["gamma", "beta"]);
    assert_eq!(names("?search=ALP").await, ["alpha"]);
    assert_eq!(service.service().get("/bucket").await.json()[0]["type"], "STANDARD");
    assert_eq!(service.person().await.client.get("/bucket").await.json(), json!([]), "no policy shows one");
    for query in ["?limit=0", "?offset=-1", "?sortColumn=owner", "?sortOrder=up", "?limit=x"] {
        assert_refused(&service.service().get(&format!("/bucket{query}")).await, 400, "InvalidRequest");
    }
}

#[tokio::test]
async fn invalid_buckets_are_refused() {
    let service = Service::start().await;
    let client = service.service();
    for name in ["", " a", "a/b", "..", "é"] {
        assert_refused(
            &client.post_json("/bucket", &json!({ "name": name })).await,
            400,
            "InvalidBucketName",
        );
    }
    let make = async |options: Value| client.post_json("/bucket", &options).await;
    let nameless = make(json!({ "id": "x" })).await;
    assert_refused(&nameless, 400, "InvalidRequest");
    assert_eq!(nameless.json()["message"], "body must have required property 'name'");
    assert_refused(&make(json!({ "name": "images" })).await, 409, "BucketAlreadyExists");
    assert_refused(&make(json!({ "name": "x", "file_size_limit": "51gb" })).await, 413, "EntityTooLarge");
    assert_refused(&make(json!({ "name": "x", "file_size_limit": "many" })).await, 400, "InvalidRequest");
    assert_refused(
        &make(json!({ "name": "x", "allowed_mime_types": ["png"] })).await,
        415,
        "InvalidMimeType",
    );
    assert_refused(&client.put_json("/bucket/images", &json!({})).await, 400, "InvalidRequest");
    assert_refused(&client.put_json("/bucket/none", &json!({ "public": true })).await, 404, "NoSuchBucket");
    assert_refused(&client.get("/bucket/none").await, 404, "NoSuchBucket");
    assert_refused(&client.get("/bucket/%00").await, 400, "InvalidRequest");
    let broken = client.send(Request::post("/bucket"), "{").await;
    assert_eq!(broken.json()["error"], "FastifyError");
}

#[tokio::test]
async fn only_an_empty_bucket_can_be_deleted() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let client = service.service();
    post(&client, "papers/a", "text/plain", "x").await;

    let full = delete(&client, "/bucket/papers").await;
    assert_refused(&full, 409, "ResourceNotEmpty");
    assert_eq!(full.json()["message"], "The bucket you tried to delete is not empty");

    let emptied = client.send(Request::post("/bucket/papers/empty"), Body::empty()).await;
    assert_eq!(emptied.json()["message"], "Empty bucket has been queued. Completion may take up to an hour.");
    assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0));
    assert_eq!(delete(&client, "/bucket/papers").await.json(), json!({ "message": "Successfully deleted" }));
    assert_refused(&client.get("/bucket/papers").await, 404, "NoSuchBucket");
}
