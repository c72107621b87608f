//! Everything that changes the marketplace's rows, each pair truly in parallel, on rows that they share. Locks are taken in
//! one order (`marketplace/functions/locks.sql`), so no pair ends in a deadlock, and the rows agree with each other afterwards.

use std::sync::Arc;

use sqlx::{AssertSqlSafe, Executor, PgConnection};
use tokio::task::JoinSet;

use crate::support::EmptyDatabase;

const WORKERS: usize = 4;

/// Who acts (a person of the scene, or a role), and the statement. `{x}` is the ID of what the scene calls `x`.
const ACTS: [(&str, &str); 23] = [
    ("agency", "select complete_collaboration({work})"),
    ("influencer", "select complete_collaboration({work})"),
    ("influencer", "select cancel_collaboration({work}, 'No time')"),
    ("influencer", "select reply_to_review({published}, 'Thank you')"),
    (
        "agency",
        "insert into reviews (collaboration_id, rating, text) values ({done}, 5, 'It was good to work together.')",
    ),
    ("admin", "select hide_review({published}, 'Insults')"),
    ("anon", "select confirm_enquiry('{token}')"),
    (
        "service_role",
        "select send_enquiries({agency}, '192.0.2.1', array[{influencer}, {other}], 'A reel', 'A message of twenty.')",
    ),
    ("influencer", "select answer_enquiry({enquiry}, true)"),
    ("agency", "select withdraw_enquiry({enquiry})"),
    ("other", "insert into gig_applications (gig_id, pitch) values ({gig}, repeat('x', 20))"),
    ("agency", "select decide_application({application}, 'accepted')"),
    ("influencer", "select withdraw_application({application})"),
    ("admin", "select decide_report({report}, 'upheld', 'Fraud', '{close_gig}')"),
    ("admin", "update influencers set approved = true where id = {unapproved}"),
    ("influencer", "update influencers set bio = 'New' where id = {influencer}"),
    ("influencer", "select mark_notifications_seen()"),
    (
        "functions_admin",
        "select app.run_tick_part((app.tick_parts())[ceil(random() * cardinality(app.tick_parts()))])",
    ),
    ("agency", "delete from gigs where id = {gig}"),
    ("admin", "delete from influencers where id = {influencer}"),
    ("owner", "delete from auth.users where id = {influencer}"),
    ("owner", "delete from auth.users where id in ({agency}, {unapproved})"),
    ("owner", "delete from auth.users where id = {other}"),
];

/// What statements name.
const NAMES: [&str; 11] = [
    "agency",
    "influencer",
    "other",
    "unapproved",
    "work",
    "done",
    "published",
    "enquiry",
    "gig",
    "application",
    "report",
];

/// People whose rows refer to each other, with something for each act to do.
const SCENE: &str = include_str!("../locks_scene.sql");

fn in_scene(scene: &str, (person, statement): (&str, &str)) -> String {
    let id = |name: &str| format!("md5('{scene} {name}')::uuid");
    let (role, claims) = match person {
        "owner" => ("none".to_owned(), "''".to_owned()),
        "anon" | "service_role" | "functions_admin" => {
            (person.to_owned(), format!("'{{\"role\": \"{person}\"}}'"))
        }
        "admin" => {
            ("authenticated".to_owned(), "json_build_object('sub', md5('admin')::uuid)::text".to_owned())
        }
        person => ("authenticated".to_owned(), format!("json_build_object('sub', {})::text", id(person))),
    };
    let mut act = statement.replace("{token}", &format!("token {scene}"));
    for name in NAMES {
        act = act.replace(&format!("{{{name}}}"), &id(name));
    }
    // One implicit transaction. The pause varies which of the two is ahead, and by how much.
    format!(
        "select pg_sleep(random() * 0.003);
         select set_config('role', '{role}', true), set_config('request.jwt.claims', {claims}, true);
         {act}"
    )
}

/// The SQLSTATE, or `ok`.
async fn result(connection: &mut PgConnection, statement: String) -> String {
    match connection.execute(AssertSqlSafe(statement)).await {
        Ok(_) => "ok".to_owned(),
        Err(sqlx::Error::Database(error)) => error.code().unwrap_or_default().into_owned(),
        Err(error) => panic!("{error}"),
    }
}

/// The results that no pair may have.
async fn rounds(database: Arc<EmptyDatabase>, worker: usize, rounds: usize) -> Vec<String> {
    let mut faults = Vec::new();
    let [mut setup, mut left, mut right] =
        [database.connect().await, database.connect().await, database.connect().await];
    let pairs = (0..ACTS.len()).flat_map(|one| (one..ACTS.len()).map(move |other| (one, other)));
    for (number, (one, other)) in pairs.enumerate().filter(|(number, _)| number % WORKERS == worker) {
        for round in 0..rounds {
            let scene = format!("{number} {round}");
            sqlx::query("select make_scene($1)").bind(&scene).execute(&mut setup).await.expect("the scene");
            let (first, second) = tokio::join!(
                result(&mut left, in_scene(&scene, ACTS[one])),
                result(&mut right, in_scene(&scene, ACTS[other]))
            );
            // Refusals, constraints and missing rights are results. Deadlocks, timeouts and crashes are not.
            let is_result =
                |code: &String| ["ok", "PT", "23", "42501"].iter().any(|known| code.starts_with(known));
            if !is_result(&first) || !is_result(&second) {
                faults.push(format!("{first}: {} | {second}: {}", ACTS[one].1, ACTS[other].1));
            }
        }
    }
    faults
}

/// `LOCK_ROUNDS` repeats each pair of acts more often.
#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn repetitions() -> usize {
    std::env::var("LOCK_ROUNDS").ok().and_then(|given| given.parse().ok()).unwrap_or(2)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acts_on_shared_rows_never_deadlock_and_leave_one_result() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    owner.execute(SCENE).await.expect("the scene");
    let database = Arc::new(database);
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        workers.spawn(rounds(Arc::clone(&database), worker, repetitions()));
    }
    let faults: Vec<String> = workers.join_all().await.into_iter().flatten().collect();
    assert_eq!(faults, Vec::<String>::new());

    let broken: Vec<String> = sqlx::query_scalar("select rule from broken_rules where broken > 0")
        .fetch_all(&mut owner)
        .await
        .expect("the rules");
    assert_eq!(broken, Vec::<String>::new());
    drop(database);
}
