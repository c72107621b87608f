use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn ambiguous_relations_are_reported_and_hints_resolve_them() {
    let api = Api::start().await;
    let refused = api.assert_error("/message?select=id,person(name)", 300, "PGRST201").await;
    assert_eq!(
        refused,
        json!({
            "code": "PGRST201",
            "message": "Could not embed because more than one relationship was found for 'message' and 'person'",
            "details": [
                { "cardinality": "many-to-one", "embedding": "message with person",
                  "relationship": "message_recipient_fkey using message(recipient) and person(id)" },
                { "cardinality": "many-to-one", "embedding": "message with person",
                  "relationship": "message_sender_fkey using message(sender) and person(id)" },
            ],
            "hint": "Try changing 'person' to one of the following: 'person!message_recipient_fkey', 'person!message_sender_fkey'. Find the desired relationship in the 'details' key.",
        })
    );
    let sender = json!([{ "id": 1, "person": { "name": "John" } }]);
    api.assert_rows("/message?select=id,person!message_sender_fkey(name)&id=eq.1", sender.clone()).await;
    api.assert_rows("/message?select=id,person!sender(name)&id=eq.1", sender.clone()).await;
    api.assert_rows("/message?select=id,person!sender!inner(name)&id=eq.1", sender).await;
    api.assert_rows(
        "/person?select=name,sent:message!sender(id),received:message!recipient(id)&id=eq.1",
        json!([{ "name": "John", "sent": [{ "id": 1 }, { "id": 3 }], "received": [{ "id": 2 }] }]),
    )
    .await;
}

#[tokio::test]
async fn a_table_may_refer_to_itself() {
    let api = Api::start().await;
    api.assert_rows(
        "/organizations?select=id,referee(name),auditor(name)&id=eq.3",
        json!([{ "id": 3, "referee": { "name": "Rower Guild" }, "auditor": { "name": "Baker Guild" } }]),
    )
    .await;
    api.assert_rows(
        "/organizations?select=name,refereeds:organizations!referee(id)&id=eq.1&refereeds.order=id",
        json!([{ "name": "Rower Guild", "refereeds": [{ "id": 3 }, { "id": 4 }] }]),
    )
    .await;
}

#[tokio::test]
async fn a_missing_relation_is_reported_with_a_suggestion() {
    let api = Api::start().await;
    let refused = api.assert_error("/clients?select=*,project(*)", 400, "PGRST200").await;
    assert_eq!(
        refused,
        json!({
            "code": "PGRST200",
            "message": "Could not find a relationship between 'clients' and 'project' in the schema cache",
            "details": "Searched for a foreign key relationship between 'clients' and 'project' in the schema 'api', but no matches were found.",
            "hint": "Perhaps you meant 'projects' instead of 'project'.",
        })
    );
    let hinted = api.assert_error("/message?select=id,person!space(*)", 400, "PGRST200").await;
    assert_eq!(
        hinted["details"],
        "Searched for a foreign key relationship between 'message' and 'person' using the hint 'space' in the schema 'api', but no matches were found."
    );
    assert_eq!(hinted["hint"], json!(null));
    // The junction of these tables is in a schema that is not exposed.
    api.assert_error("/clients?select=id,users(id)", 400, "PGRST200").await;
}

#[tokio::test]
async fn junctions_can_be_named() {
    let api = Api::start().await;
    api.assert_rows(
        "/users?select=id,tasks!users_tasks(id)&id=eq.3&tasks.order=id",
        json!([{ "id": 3, "tasks": [{ "id": 1 }, { "id": 5 }] }]),
    )
    .await;
    api.assert_rows(
        "/tasks_with_twice?select=id,projects!one(name)&id=eq.1",
        json!([{ "id": 1, "projects": { "name": "Willow 7" } }]),
    )
    .await;
    api.assert_error("/tasks_with_twice?select=id,projects(name)&id=eq.1", 300, "PGRST201").await;
}
