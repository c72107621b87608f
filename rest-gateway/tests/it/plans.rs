//! Custom and generic plans. The tests read from the only connection which statements are prepared and how often each
//! was planned.

use serde_json::{Value, json};

use crate::support::Api;
use test_support::waiting::eventually;

/// Enough executions for a generic plan: a statement is prepared when it occurs again, and its first five plans are
/// custom plans.
const TIMES: i64 = 12;

async fn start() -> Api {
    let api = Api::start_with(&[("PGRST_DB_POOL", "1"), ("PGRST_DB_MAX_ROWS", "1000")]).await;
    api.sql(
        r#"create table api.words (id int primary key, word text collate "C" not null, kind text not null);
           insert into api.words select i, md5(i::text), 'k' || i % 10 from generate_series(1, 20000) i;
           create index words_word on api.words (word);
           analyze api.words;
           grant select, update on api.words to gateway_anon;
           notify pgrst"#,
    )
    .await;
    eventually("the schema cache is current", async || api.get("/words?limit=1").await.status != 404).await;
    api
}

/// The numbers of generic and custom plans of the statements that contain `part`; `None` if none is
/// prepared.
async fn plans(api: &Api, part: &str) -> Option<(i64, i64)> {
    let rows = api.post("/rpc/prepared", json!({})).await.json();
    let counts =
        |row: &Value| (row["generic_plans"].as_i64().unwrap(), row["custom_plans"].as_i64().unwrap());
    let ours = |row: &&Value| row["statement"].as_str().unwrap().contains(part);
    rows.as_array().unwrap().iter().filter(ours).map(counts).reduce(|a, b| (a.0 + b.0, a.1 + b.1))
}

#[tokio::test]
async fn reads_by_key_use_a_generic_plan() {
    let api = start().await;
    for (path, part) in [
        ("/words?select=id,word&id=eq.", r#""words"."word" FROM "api"."words" WHERE "api"."words"."id" ="#),
        ("/words?select=kind&kind=not.is.null&word=eq.", r#""words"."word" ="#),
        ("/words?select=id&order=word&limit=3&kind=eq.k1&id=eq.", r#"ORDER BY "api"."words"."word""#),
        ("/clients?select=id,projects(id)&id=eq.", r#"FROM "api"."clients""#),
    ] {
        for value in 1..=TIMES {
            let answer = api.get(&format!("{path}{value}")).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
        let (generic, custom) = plans(&api, part).await.expect(path);
        assert!(
            generic > 0 && custom <= 5 && generic + custom == TIMES - 1,
            "{path}: {generic} and {custom}"
        );
    }
}

#[tokio::test]
async fn other_reads_use_custom_plans() {
    let api = start().await;
    for (path, part) in [
        ("/words?select=id&word=ilike.c4ca*", "ilike"),
        ("/words?select=id&or=(word.like.c4ca*,word.like.c81e*)&order=id&limit=9", "like"),
        ("/words?select=id&word=not.match.^c4", r#""words"."word" ~"#),
        ("/words?select=id&word=gt.fff", r#""words"."word" >"#),
        ("/words?select=id&kind=in.(k1,k2)", r#""words"."kind" ="#),
        ("/words?select=id&kind=eq.k1&word=eq.x", r#"WHERE "api"."words"."kind" = $1 AND"#),
        ("/words?select=id&kind=eq.k1&order=id", r#"ORDER BY "api"."words"."id""#),
        ("/words?select=word&limit=3&offset=2", r#"SELECT "api"."words"."word" FROM"#),
        ("/clients?select=id,projects(id)&id=eq.1&projects.name=like.W*", r#""projects_1"."name" like"#),
        ("/documents?words=fts.market", "to_tsquery"),
        ("/rpc/get_projects_below?id=4", "get_projects_below"),
    ] {
        for _ in 0..TIMES {
            let answer = api.get(path).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        }
        let (generic, custom) = plans(&api, part).await.expect(path);
        assert!(generic == 0 && custom >= TIMES - 1, "{path}: {generic} and {custom}");
    }
    for _ in 0..TIMES {
        let changed = api.send("PATCH", "/words?word=like.zzz*", &[], r#"{"kind":"z"}"#).await;
        assert_eq!(changed.status, 204);
    }
    assert_eq!(plans(&api, "UPDATE").await, Some((0, TIMES - 1)));
}

/// The reason for custom plans: a prefix search can use an index only if the pattern is known.
#[tokio::test]
async fn prefix_searches_use_the_index_after_other_searches() {
    let api = start().await;
    let scans = async || -> i64 {
        let mut owner = api.owner().await;
        for statement in ["select pg_stat_force_next_flush()", "select pg_stat_clear_snapshot()"] {
            sqlx::query(statement).execute(&mut owner).await.unwrap();
        }
        let scans = "select idx_scan from pg_stat_user_indexes where indexrelname = 'words_word'";
        sqlx::Row::get(&sqlx::query(scans).fetch_one(&mut owner).await.unwrap(), 0)
    };
    // Patterns that no index supports would make PostgreSQL prefer the generic plan.
    for _ in 0..TIMES {
        assert_eq!(api.get("/words?select=id&word=like.*zz*").await.json(), json!([]));
    }
    let before = scans().await;
    for _ in 0..TIMES {
        assert_eq!(api.get("/words?select=id&word=like.c4ca*").await.json(), json!([{ "id": 1 }]));
    }
    // The statistics are updated when the connection becomes idle.
    for _ in 0..100 {
        api.post("/rpc/flush", json!({})).await;
        if scans().await - before == TIMES {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the index was not used each time");
}

/// Clients compose statements, and each prepared one keeps its plan in the server's memory.
#[tokio::test]
async fn large_statements_leave_no_room_for_many() {
    let api = start().await;
    let resources = |name: &str, column: &str| -> String {
        let items: Vec<_> = (0..20).map(|number| format!("{name}{number}:projects({column})")).collect();
        items.join(",")
    };
    let mut most = 0;
    for number in 0..30 {
        for _ in 0..2 {
            let path = format!("/clients?select=id,{}", resources(&format!("s{number}_"), "id"));
            assert_eq!(api.get(&path).await.status, 200);
        }
        let rows = api.post("/rpc/prepared", json!({})).await.json();
        let large = |row: &&Value| row["statement"].as_str().unwrap().matches("LATERAL").count() >= 20;
        most = most.max(rows.as_array().unwrap().iter().filter(large).count());
    }
    assert!((3..=12).contains(&most), "{most} large statements were prepared at the same time");
    let huge = format!("/clients?select=id,{},{}", resources("huge", "id"), resources("more", "name"));
    for _ in 0..3 {
        assert_eq!(api.get(&huge).await.status, 200);
    }
    assert_eq!(plans(&api, "huge").await, None);
}
