//! Listings of keys that differ in case, that sort around the slash, and that row policies hide.

use serde_json::{Value, json};

use crate::support::{Service, assert_refused, post};

/// `-` and `.` sort before the slash, `0` after it.
const KEYS: [&str; 14] = [
    "B/1",
    "a",
    "a-b",
    "a.b",
    "a/1",
    "a/2/x",
    "a/2/y",
    "a/B",
    "a/b",
    "a0",
    "b/1",
    "b/2",
    "c/.emptyFolderPlaceholder",
    "c//d",
];

async fn with_objects() -> Service {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    for key in KEYS {
        let answer = post(&service.service(), &format!("papers/{key}"), "text/plain", "").await;
        assert_eq!(answer.status, 200, "{key}: {}", answer.text());
    }
    service
}

/// The names, in pages of `limit`, by offset.
async fn listed(service: &Service, body: &Value, limit: usize) -> Vec<String> {
    let mut names = Vec::new();
    loop {
        let mut body = body.clone();
        body["limit"] = json!(limit);
        body["offset"] = json!(names.len());
        let page = service.service().post_json("/object/list/papers", &body).await.json();
        let page = page.as_array().unwrap();
        names.extend(page.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()));
        if page.len() < limit {
            return names;
        }
    }
}

#[tokio::test]
async fn levels_are_sorted_without_regard_to_case_page_by_page() {
    let service = with_objects().await;
    let root = ["a", "a", "a-b", "a.b", "a0", "B", "b", "c"];
    let backwards: Vec<_> = root.into_iter().rev().collect();
    for limit in [1, 2, 3, 100] {
        let by = |order: &str| json!({ "prefix": "", "sortBy": { "column": "name", "order": order } });
        assert_eq!(listed(&service, &by("asc"), limit).await, root);
        assert_eq!(listed(&service, &by("desc"), limit).await, backwards);
        assert_eq!(listed(&service, &json!({ "prefix": "a" }), limit).await, ["1", "2", "B", "b"]);
        assert_eq!(listed(&service, &json!({ "prefix": "c" }), limit).await, ["", ".emptyFolderPlaceholder"]);
        assert_eq!(listed(&service, &json!({ "prefix": "", "search": "b" }), limit).await, ["B", "b"]);
        assert_eq!(listed(&service, &json!({ "prefix": "A" }), limit).await, [""; 0]);
        for column in ["created_at", "updated_at", "last_accessed_at"] {
            let by = |order: &str| json!({ "prefix": "", "sortBy": { "column": column, "order": order } });
            let expected = ["a", "B", "b", "c", "a", "a-b", "a.b", "a0"];
            assert_eq!(listed(&service, &by("asc"), limit).await, expected, "{column}");
            let expected = ["a", "B", "b", "c", "a0", "a.b", "a-b", "a"];
            assert_eq!(listed(&service, &by("desc"), limit).await, expected, "{column}");
        }
    }
}

/// The names of all pages: each page's folders and objects, in the order of a listing by name.
async fn paged(service: &Service, body: &Value, limit: usize) -> Vec<String> {
    let (mut body, mut names) = (body.clone(), Vec::new());
    body["limit"] = json!(limit);
    loop {
        let page = service.service().post_json("/object/list-v2/papers", &body).await.json();
        let entries = ["folders", "objects"].iter().flat_map(|kind| page[kind].as_array().unwrap());
        let found: Vec<_> = entries.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect();
        assert!(found.len() <= limit, "{page}");
        names.extend(found);
        match page["nextCursor"].as_str() {
            Some(cursor) => body["cursor"] = json!(cursor),
            None => return names,
        }
    }
}

#[tokio::test]
async fn pages_are_sorted_by_their_bytes() {
    let service = with_objects().await;
    for order in ["asc", "desc"] {
        let sorted = |names: &[&str]| {
            let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
            if order == "desc" {
                names.reverse();
            }
            names
        };
        let by = |body: Value| {
            let mut body = body;
            body["sortBy"] = json!({ "column": "name", "order": order });
            body
        };
        for limit in [1, 2, 3] {
            assert_eq!(paged(&service, &by(json!({})), limit).await, sorted(&KEYS));
            let range = &["a/1", "a/2/x", "a/2/y", "a/B", "a/b"];
            assert_eq!(paged(&service, &by(json!({ "prefix": "a/" })), limit).await, sorted(range));
        }
        // One entry in each page shows the order of folders among objects.
        let folded = async |prefix: &str| {
            paged(&service, &by(json!({ "prefix": prefix, "with_delimiter": true })), 1).await
        };
        assert_eq!(folded("").await, sorted(&["B/", "a", "a-b", "a.b", "a/", "a0", "b/", "c/"]));
        assert_eq!(folded("a").await, sorted(&["a", "a-b", "a.b", "a/", "a0"]));
        assert_eq!(folded("a/").await, sorted(&["a/1", "a/2/", "a/B", "a/b"]));
        assert_eq!(folded("c/").await, sorted(&["c/.emptyFolderPlaceholder", "c//"]));
        assert_eq!(folded("z").await, [""; 0]);
    }
}

#[tokio::test]
async fn pages_by_time_have_the_folders_first() {
    let service = with_objects().await;
    for column in ["created_at", "updated_at"] {
        for limit in [1, 2, 3, 100] {
            let by = |body: Value, order: &str| {
                let mut body = body;
                body["sortBy"] = json!({ "column": column, "order": order });
                body
            };
            assert_eq!(paged(&service, &by(json!({}), "asc"), limit).await, KEYS);
            let folded = |prefix: &str| json!({ "prefix": prefix, "with_delimiter": true });
            let expected = ["a/", "B/", "b/", "c/", "a", "a-b", "a.b", "a0"];
            assert_eq!(paged(&service, &by(folded(""), "asc"), limit).await, expected);
            let expected = ["b/"];
            assert_eq!(paged(&service, &by(folded("b"), "asc"), limit).await, expected, "no `B/`");
            let expected = ["a/2/", "a/b", "a/B", "a/1"];
            assert_eq!(paged(&service, &by(folded("a/"), "desc"), limit).await, expected);
        }
    }
    let body = json!({ "sortBy": { "column": "last_accessed_at" } });
    let refused = service.service().post_json("/object/list-v2/papers", &body).await;
    assert_refused(&refused, 400, "InvalidRequest");
}

/// Objects with the same time could get lost or be repeated at the end of a page.
#[tokio::test]
async fn objects_of_the_same_time_are_listed_once() {
    let service = with_objects().await;
    sqlx::query("update storage.objects set created_at = now()").execute(&service.rows).await.unwrap();
    for order in ["asc", "desc"] {
        let body = json!({ "sortBy": { "column": "created_at", "order": order } });
        let mut names = paged(&service, &body, 3).await;
        names.sort();
        assert_eq!(names, KEYS);
    }
}

#[tokio::test]
async fn hidden_objects_show_in_no_listing() {
    let service = with_objects().await;
    sqlx::raw_sql(
        "create policy \"test: some\" on storage.objects for select to authenticated
         using (bucket_id = 'papers' and name in ('a/2/y', 'a0', 'B/1'))",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let client = service.person().await.client;
    for column in ["name", "created_at", "updated_at"] {
        let sort = json!({ "column": column });
        let body = json!({ "prefix": "", "sortBy": sort });
        let listed = client.post_json("/object/list/papers", &body).await.json();
        let mut names: Vec<_> =
            listed.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["B", "a", "a0"], "{column}");
        let body = json!({ "with_delimiter": true, "sortBy": sort });
        let page = client.post_json("/object/list-v2/papers", &body).await.json();
        assert_eq!(
            (page["folders"].as_array().unwrap().len(), page["objects"].as_array().unwrap().len()),
            (2, 1)
        );
        let page = client.post_json("/object/list-v2/papers", &json!({ "sortBy": sort })).await.json();
        assert_eq!(page["objects"].as_array().unwrap().len(), 3, "{column}");
    }
}
