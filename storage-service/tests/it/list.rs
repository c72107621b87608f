use serde_json::{Value, json};

use crate::support::{Service, assert_refused, post};

const KEYS: [&str; 7] = ["Zoe.txt", "a/one.txt", "a/sub/deep.txt", "a/two.txt", "ab.txt", "b/x.txt", "c.txt"];

async fn with_objects() -> Service {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    for key in KEYS {
        assert_eq!(post(&service.service(), &format!("papers/{key}"), "text/plain", key).await.status, 200);
    }
    service
}

async fn list(service: &Service, body: Value) -> Vec<String> {
    let answer = service.service().post_json("/object/list/papers", &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json().as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_listing_shows_one_level_relative_to_its_prefix() {
    let service = with_objects().await;
    assert_eq!(list(&service, json!({ "prefix": "" })).await, ["a", "ab.txt", "b", "c.txt", "Zoe.txt"]);
    for prefix in ["a", "a/"] {
        assert_eq!(list(&service, json!({ "prefix": prefix })).await, ["one.txt", "sub", "two.txt"]);
    }
    assert_eq!(list(&service, json!({ "prefix": "A" })).await, [""; 0], "keys are case-sensitive");
    assert_eq!(list(&service, json!({ "prefix": "", "search": "A" })).await, ["a", "ab.txt"]);
    assert_eq!(list(&service, json!({ "prefix": "", "limit": 2, "offset": 1 })).await, ["ab.txt", "b"]);
    let sorted = json!({ "prefix": "", "sortBy": { "column": "name", "order": "desc" } });
    assert_eq!(list(&service, sorted).await, ["Zoe.txt", "c.txt", "b", "ab.txt", "a"]);
    let by_time = json!({ "prefix": "", "sortBy": { "column": "created_at", "order": "desc" } });
    assert_eq!(list(&service, by_time).await, ["a", "b", "c.txt", "ab.txt", "Zoe.txt"]);
}

#[tokio::test]
async fn files_are_listed_with_all_fields_and_folders_with_a_name() {
    let service = with_objects().await;
    let answer = service.service().post_json("/object/list/papers", &json!({ "prefix": "" })).await.json();
    let folder = json!({
        "name": "a", "id": null, "updated_at": null, "created_at": null, "last_accessed_at": null, "metadata": null,
    });
    assert_eq!(answer[0], folder);
    let mut metadata = answer[1]["metadata"].clone();
    metadata["eTag"].take();
    let expected = json!({
        "eTag": null, "size": 6, "mimetype": "text/plain", "cacheControl": "no-cache",
        "lastModified": "2026-05-04T03:02:01.987Z", "contentLength": 6, "httpStatusCode": 200,
    });
    assert_eq!(metadata, expected);
}

#[tokio::test]
async fn unknown_buckets_are_empty_and_invalid_requests_are_refused() {
    let service = with_objects().await;
    let client = service.service();
    assert_eq!(client.post_json("/object/list/nowhere", &json!({ "prefix": "" })).await.json(), json!([]));
    let prefixless = client.post_json("/object/list/papers", &json!({})).await;
    assert_eq!(prefixless.json()["message"], "body must have required property 'prefix'");
    for body in [
        json!({ "prefix": "", "limit": 0 }),
        json!({ "prefix": "", "offset": -1 }),
        json!({ "prefix": "", "sortBy": { "column": "owner" } }),
        json!({ "prefix": "\u{0}" }),
    ] {
        assert_refused(&client.post_json("/object/list/papers", &body).await, 400, "InvalidRequest");
    }
}

/// The names of all pages: each page's folders, then its objects.
async fn pages(service: &Service, mut body: Value, limit: usize) -> Vec<String> {
    body["limit"] = json!(limit);
    let mut names = Vec::new();
    loop {
        let answer = service.service().post_json("/object/list-v2/papers", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let page = answer.json();
        let entries = ["folders", "objects"].iter().flat_map(|kind| page[kind].as_array().unwrap());
        let found: Vec<_> = entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect();
        assert!(found.len() <= limit);
        names.extend(found);
        match page["nextCursor"].as_str() {
            Some(cursor) => body["cursor"] = json!(cursor),
            None => {
                assert_eq!(page["hasNext"], false);
                return names;
            }
        }
    }
}

#[tokio::test]
async fn pages_have_no_gaps_or_repeats() {
    let service = with_objects().await;
    for limit in [1, 2, 3, 100] {
        assert_eq!(pages(&service, json!({}), limit).await, KEYS);
        assert_eq!(pages(&service, json!({ "prefix": "a" }), limit).await, KEYS[1..5]);
        let mut folded = pages(&service, json!({ "with_delimiter": true }), limit).await;
        folded.sort();
        assert_eq!(folded, ["Zoe.txt", "a/", "ab.txt", "b/", "c.txt"]);
        for order in ["asc", "desc"] {
            let by_time =
                json!({ "with_delimiter": true, "sortBy": { "column": "created_at", "order": order } });
            let mut expected = vec!["a/", "b/", "Zoe.txt", "ab.txt", "c.txt"];
            if order == "desc" {
                expected[2..].reverse();
            }
            assert_eq!(pages(&service, by_time, limit).await, expected);
        }
        let mut backwards = KEYS;
        backwards.reverse();
        assert_eq!(
            pages(&service, json!({ "sortBy": { "column": "name", "order": "desc" } }), limit).await,
            backwards
        );
    }
}

#[tokio::test]
async fn folders_in_a_page_have_a_key_and_a_name() {
    let service = with_objects().await;
    let body = json!({ "prefix": "a/", "with_delimiter": true });
    let page = service.service().post_json("/object/list-v2/papers", &body).await.json();
    assert_eq!(
        (&page["folders"][0]["key"], &page["folders"][0]["name"]),
        (&json!("a/sub"), &json!("a/sub/"))
    );
    assert_eq!(page["folders"][0]["id"], Value::Null);
    assert_eq!(page["objects"][0]["name"], "a/one.txt");
    assert_eq!(page["hasNext"], false);
    let faulty = service.service().post_json("/object/list-v2/papers", &json!({ "cursor": "x" })).await;
    assert_refused(&faulty, 400, "InvalidRequest");
}
