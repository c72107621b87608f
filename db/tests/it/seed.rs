use std::collections::BTreeSet;

use sqlx::{Executor, PgConnection};

use crate::support::EmptyDatabase;

async fn count(connection: &mut PgConnection, question: &'static str) -> i64 {
    sqlx::query_scalar(question).fetch_one(connection).await.expect(question)
}

#[tokio::test]
async fn the_demo_fills_every_screen() {
    let (database, mut connection) = EmptyDatabase::migrated().await;

    connection.execute(db::DEMO_SEED).await.expect("seed");

    assert!(!db::is_empty(&mut connection).await.expect("query"));
    assert!(count(&mut connection, "select count(*) from app.influencers").await >= 60);
    assert!(count(&mut connection, "select count(*) from app.influencers where not approved").await >= 5);
    assert_eq!(count(&mut connection, "select count(*) from app.agencies").await, 12);
    assert_eq!(count(&mut connection, "select count(*) from app.vendors").await, 12);
    assert_eq!(count(&mut connection, "select count(*) from app.gigs").await, 20);
    let states = "select count(distinct state) from app.gig_applications where influencer_id = (
                    select influencers.id from app.influencers join auth.users on users.id = user_id where email = 'influencer@demo.serasi.test')";
    assert_eq!(
        count(&mut connection, states).await,
        7,
        "the demo influencer has an application in each state"
    );
    let columns = "select count(distinct state) from app.gig_applications where agency_id = (
                     select id from app.agencies where user_id = (select id from auth.users where email = 'agency@demo.serasi.test'))";
    assert!(count(&mut connection, columns).await >= 5);
    let accounts: Vec<(String, String)> = sqlx::query_as(
        "select email, user_roles.role from auth.users join app.user_roles on user_id = id
         where email like '%@demo.serasi.test' and encrypted_password like '$argon2id$v=19$m=19456,t=2,p=1$%' order by email",
    )
    .fetch_all(&mut connection)
    .await
    .expect("accounts");
    let found: Vec<_> = accounts.iter().map(|(email, role)| (email.as_str(), role.as_str())).collect();
    assert_eq!(
        found,
        [
            ("admin@demo.serasi.test", "admin"),
            ("agency@demo.serasi.test", "agency"),
            ("influencer@demo.serasi.test", "influencer"),
            ("pending@demo.serasi.test", "influencer"),
            ("superadmin@demo.serasi.test", "superadmin"),
            ("vendor@demo.serasi.test", "vendor"),
        ]
    );
    drop(database);
}

#[tokio::test]
async fn every_demo_picture_exists_and_is_used() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute(db::DEMO_SEED).await.expect("seed");

    let used: BTreeSet<String> = sqlx::query_scalar(
        "select distinct substring(url from '^/storage/v1/object/public/images/(.*)$') from (
           select profile_image from app.influencers union all select cover_image from app.influencers
           union all select post from app.influencers, jsonb_array_elements_text(content_posts) as post
           union all select logo_url from app.agencies union all select banner_url from app.agencies
           union all select unnest(gallery) from app.agencies union all select logo_url from app.vendors
         ) as pictures (url) where url is not null",
    )
    .fetch_all(&mut connection)
    .await
    .expect("pictures")
    .into_iter()
    .collect();

    let embedded: BTreeSet<String> = db::demo_images().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(used, embedded);
    assert!(db::demo_images().all(|(_, bytes)| bytes.starts_with(b"RIFF") && &bytes[8..12] == b"WEBP"));
    drop(database);
}

#[tokio::test]
async fn bulk_data_continues_where_it_stopped() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute(db::BULK_SEED).await.expect("prepare");

    for (kind, rows) in [("influencers", 700), ("influencers", 300), ("agencies", 40), ("vendors", 40)] {
        let first: i64 = sqlx::query_scalar("select pg_temp.seed_first($1)")
            .bind(kind)
            .fetch_one(&mut connection)
            .await
            .expect("first");
        let statement = match kind {
            "influencers" => "select pg_temp.seed_influencers($1, $2)",
            "agencies" => "select pg_temp.seed_agencies($1, $2)",
            _ => "select pg_temp.seed_vendors($1, $2)",
        };
        sqlx::query(statement).bind(first).bind(rows).execute(&mut connection).await.expect(kind);
    }
    sqlx::query("select pg_temp.seed_gigs(1, 100)").execute(&mut connection).await.expect("gigs");
    for first in [1, 301] {
        sqlx::query("select pg_temp.seed_applications($1, 300)")
            .bind(first)
            .execute(&mut connection)
            .await
            .expect("applications");
    }
    assert_eq!(count(&mut connection, "select count(*) from app.gig_applications").await, 600);

    assert_eq!(
        count(&mut connection, "select count(distinct lower(username)) from app.influencers").await,
        1000
    );
    assert_eq!(count(&mut connection, "select count(*) from app.user_roles").await, 1080);
    assert_eq!(count(&mut connection, "select count(*) from app.agencies").await, 40);
    assert_eq!(count(&mut connection, "select count(distinct agency_id) from app.gigs").await, 40);
    let unread = "select count(*) from app.influencers where instagram_followers <> '' and instagram_followers_count = 0";
    assert_eq!(count(&mut connection, unread).await, 0, "every follower text can be parsed");
    drop(database);
}

#[tokio::test]
async fn bulk_reviews_add_up_to_the_averages() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute(db::BULK_SEED).await.expect("prepare");
    connection
        .execute("select pg_temp.seed_influencers(1, 100), pg_temp.seed_agencies(1, 10)")
        .await
        .expect("accounts");

    for kind in ["notifications", "reviews"] {
        for first in [1, 301] {
            sqlx::query(sqlx::AssertSqlSafe(format!("select pg_temp.seed_{kind}($1, 300)")))
                .bind(first)
                .execute(&mut connection)
                .await
                .expect(kind);
        }
    }
    assert_eq!(
        count(&mut connection, "select count(*) from app.notices where subject_id is not null").await,
        600
    );
    assert_eq!(count(&mut connection, "select count(*) from app.reviews").await, 1200);
    let wrong = "select count(*) from app.influencers where (review_count, rating_sum) <> (
        select count(*), coalesce(sum(rating), 0) from app.reviews where influencer_id = influencers.id and counted and side = 'client')";
    assert_eq!(count(&mut connection, wrong).await, 0, "the averages of influencers");
    let wrong = "select count(*) from app.agencies where (review_count, rating_sum) <> (
        select count(*), coalesce(sum(rating), 0) from app.reviews where agency_id = agencies.id and counted and side = 'influencer')";
    assert_eq!(count(&mut connection, wrong).await, 0, "the averages of agencies");
    drop(database);
}
