//! Accounts that a seed creates, instead of a dump.

use std::process::Command;

use sqlx::Executor;

use super::Person;
use crate::product::Product;

/// A seed of a Supabase project, unchanged. It is run with Supabase's search path.
pub async fn seeded_people_sign_in(product: &Product) {
    let mut connection = product.superuser().await;
    connection
        .execute(
            "set search_path = public, extensions;
             insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, recovery_sent_at,
               last_sign_in_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, email_change,
               email_change_token_new, recovery_token)
             values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', 'seed@project.test',
               crypt('correct horse', gen_salt('bf')), current_timestamp, current_timestamp, current_timestamp,
               '{\"provider\":\"email\",\"providers\":[\"email\"]}', '{}', current_timestamp, current_timestamp, '', '', '', '');
             insert into auth.identities (id, user_id, provider_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
             select gen_random_uuid(), id, id, format('{\"sub\":\"%s\",\"email\":\"%s\"}', id::text, email)::jsonb, 'email',
               current_timestamp, current_timestamp, current_timestamp from auth.users where email = 'seed@project.test'",
        )
        .await
        .unwrap();
    let seeded = Person::sign_in(product, "seed@project.test").await.unwrap();
    assert_eq!(seeded.user["identities"][0]["provider"], "email");
    hosted_people_sign_in(product, &mut connection).await;
}

/// What the other server stores and ours does not accept is completed or skipped.
async fn hosted_people_sign_in(product: &Product, connection: &mut sqlx::PgConnection) {
    let dump = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/import/hosted.sql");
    let mut psql = Command::new("psql");
    psql.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-f", dump, "-d"]).arg(&product.settings["DB_URL"]);
    let loaded = psql.output().unwrap();
    assert!(loaded.status.success(), "{}", String::from_utf8_lossy(&loaded.stderr));
    let password = "update auth.users set encrypted_password = extensions.crypt('correct horse', extensions.gen_salt('bf', 4)) where email = 'fay@project.test'";
    connection.execute(password).await.unwrap();
    // The dump has set the sequence of the tokens to 1.
    for _ in 0..3 {
        let fay = Person::sign_in(product, "Fay@Project.test").await.unwrap();
        assert_eq!((&fay.user["phone"], &fay.user["user_metadata"]), (&"".into(), &serde_json::json!({})));
    }
    let kept: (i64, i64, i64) = sqlx::query_as(
        "select (select count(*) from auth.mfa_factors) + (select count(*) from auth.flow_state) + (select count(*) from auth.one_time_tokens),
           (select count(*) from auth.refresh_tokens where token is not null), (select count(*) from app.profiles where email in ('fay@project.test', 'gus@project.test'))",
    )
    .fetch_one(&mut *connection)
    .await
    .unwrap();
    assert_eq!(kept, (0, 0, 2));
    let legacy = "select auth.uid()::text = 'fa000000-0000-4000-8000-000000000001' and auth.role() = 'authenticated' and auth.email() = 'f@x'
        and extensions.uuid_generate_v4() is not null
      from set_config('request.jwt.claim.sub', 'fa000000-0000-4000-8000-000000000001', false) as a, set_config('request.jwt.claim.role', 'authenticated', false) as b,
        set_config('request.jwt.claim.email', 'f@x', false) as c";
    // Two statements: the functions are evaluated with what the first one has set.
    let _: bool = sqlx::query_scalar(legacy).fetch_one(&mut *connection).await.unwrap();
    assert!(sqlx::query_scalar::<_, bool>(legacy).fetch_one(connection).await.unwrap());
}
