//! Accounts that a seed creates, instead of a dump.

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
}
