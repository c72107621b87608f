//! Imports accounts, identities and buckets from their staging tables.

use anyhow::{Context, bail, ensure};
use sqlx::{AssertSqlSafe, PgConnection};

use super::platform::{BUCKETS as STAGED_BUCKETS, IDENTITIES as STAGED_IDENTITIES, USERS as STAGED_USERS};
use super::report::LeftOut;

/// The maximum number of accounts in a message.
const SHOWN: usize = 5;

/// Columns and their values. `{column}` is the dump's column, as text.
const USERS: [(&str, &str); 19] = [
    ("id", "{column}::uuid"),
    ("instance_id", "nullif({column}, '')::uuid"),
    ("email", "nullif(lower({column}), '')"),
    ("encrypted_password", "nullif({column}, '')"),
    ("email_confirmed_at", "{column}::timestamptz"),
    ("invited_at", "{column}::timestamptz"),
    ("last_sign_in_at", "{column}::timestamptz"),
    // The trigger for new accounts reads the role from it. Without it, a dump can't create admins.
    (
        "raw_app_meta_data",
        "case when jsonb_typeof({column}::jsonb) = 'object' then {column}::jsonb - 'marketplace_role' else '{}' end",
    ),
    ("phone", "case when {column} ~ '^[1-9][0-9]{1,14}$' then {column} end"),
    ("phone_confirmed_at", "{column}::timestamptz"),
    ("is_anonymous", "coalesce({column}::boolean, false)"),
    ("is_sso_user", "coalesce({column}::boolean, false)"),
    ("is_super_admin", "{column}::boolean"),
    ("banned_until", "{column}::timestamptz"),
    ("deleted_at", "{column}::timestamptz"),
    ("created_at", "coalesce({column}::timestamptz, now())"),
    ("updated_at", "coalesce({column}::timestamptz, now())"),
    ("phone_change_sent_at", "{column}::timestamptz"),
    ("reauthentication_sent_at", "{column}::timestamptz"),
];

const IDENTITIES: [(&str, &str); 8] = [
    ("id", "{column}::uuid"),
    ("user_id", "{column}::uuid"),
    ("provider_id", "{column}"),
    ("identity_data", "coalesce({column}::jsonb, '{}')"),
    ("provider", "{column}"),
    ("last_sign_in_at", "{column}::timestamptz"),
    ("created_at", "coalesce({column}::timestamptz, now())"),
    ("updated_at", "coalesce({column}::timestamptz, now())"),
];

const BUCKETS: [(&str, &str); 9] = [
    ("id", "{column}"),
    ("name", "{column}"),
    ("owner", "nullif({column}, '')::uuid"),
    ("owner_id", "{column}"),
    ("public", "coalesce({column}::boolean, false)"),
    ("file_size_limit", "{column}::bigint"),
    ("allowed_mime_types", "{column}::text[]"),
    ("created_at", "coalesce({column}::timestamptz, now())"),
    ("updated_at", "coalesce({column}::timestamptz, now())"),
];

/// The lists of names and values of an `insert … select`, for those of the columns that the dump has.
pub fn lists(columns: &[(&str, &str)], given: &[String]) -> (String, String) {
    let present = columns.iter().filter(|(column, _)| has(given, column));
    let quoted = present.map(|(column, value)| {
        (format!("\"{column}\""), value.replace("{column}", &format!("\"{column}\"")))
    });
    let (names, values): (Vec<String>, Vec<String>) = quoted.unzip();
    (names.join(", "), values.join(", "))
}

pub fn has(columns: &[String], name: &str) -> bool {
    columns.iter().any(|column| column == name)
}

/// Returns the number of accounts.
///
/// # Errors
/// When an account has the address or id of an existing one, or when its row does not fit.
pub async fn import(
    connection: &mut PgConnection,
    columns: &[String],
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<u64> {
    ensure!(has(columns, "id") && has(columns, "email"), "auth.users of the dump has no ids or no addresses");
    note(connection, columns, left).await?;
    drop_second_addresses(connection, columns, left).await?;
    refuse_known(connection).await?;
    let (names, values) = lists(&USERS, columns);
    let metadata =
        if has(columns, "raw_user_meta_data") { "staged.raw_user_meta_data::jsonb" } else { "'{}'::jsonb" };
    let is_deleted = if has(columns, "deleted_at") { "deleted_at is not null" } else { "false" };
    // The trigger for new accounts grants the role that `user_type` names, and rejects other values, so those
    // are added afterwards.
    let insert = format!(
        "insert into auth.users ({names}, raw_user_meta_data) select {values}, case
           when jsonb_typeof({metadata}) is distinct from 'object' then '{{}}'
           when {is_deleted} or {metadata} -> 'user_type' not in ('\"influencer\"', '\"agency\"', '\"vendor\"') then {metadata} - 'user_type'
           else {metadata} end
         from {STAGED_USERS} as staged"
    );
    let count = execute(connection, insert).await.context("the accounts can't be imported")?;
    let whole = format!(
        "update auth.users set raw_user_meta_data = {metadata} from {STAGED_USERS} as staged
         where users.id = staged.id::uuid and jsonb_typeof({metadata}) = 'object'
           and users.raw_user_meta_data is distinct from {metadata}"
    );
    execute(connection, whole).await?;
    Ok(count)
}

/// Adds what changes for users to the report.
async fn note(
    connection: &mut PgConnection,
    columns: &[String],
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<()> {
    let notes: [(&str, &str, &str); 4] = [
        (
            "encrypted_password",
            "encrypted_password <> '' and encrypted_password !~ '^\\$(2[abxy]|argon2id?)\\$'",
            "are imported without a usable password: their owners set a new one by e-mail",
        ),
        (
            "role",
            "role not in ('authenticated', '')",
            "are imported with the role authenticated instead of their own",
        ),
        (
            "phone",
            "phone <> '' and phone !~ '^[1-9][0-9]{1,14}$'",
            "are imported without their phone number, which is malformed",
        ),
        ("is_sso_user", "is_sso_user::boolean", "are imported, but single sign-on is not supported"),
    ];
    for (column, condition, why) in notes {
        if has(columns, column) {
            let query = format!("select count(*) from {STAGED_USERS} where {condition}");
            add(connection, query, "accounts", why, left).await?;
        }
    }
    if has(columns, "phone") {
        let query =
            format!("select count(*) from {STAGED_USERS} where coalesce(email, '') = '' and phone <> ''");
        add(
            connection,
            query,
            "accounts",
            "have only a phone number: signing in by phone is not supported",
            left,
        )
        .await?;
    }
    Ok(())
}

async fn add(
    connection: &mut PgConnection,
    query: String,
    kind: &str,
    why: &'static str,
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<()> {
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(connection).await?;
    if count > 0 {
        left.push(LeftOut { kind: format!("{count} {kind}"), name: String::new(), why });
    }
    Ok(())
}

/// In Supabase, an account with single sign-on may have the address of another account.
async fn drop_second_addresses(
    connection: &mut PgConnection,
    columns: &[String],
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<()> {
    let order = if has(columns, "is_sso_user") { "is_sso_user::boolean, id" } else { "id" };
    let table = STAGED_USERS;
    let statement = format!(
        "update {table} as again set email = null from (
           select ctid, row_number() over (partition by lower(email) order by {order}) as place from {table} where email <> ''
         ) as numbered where again.ctid = numbered.ctid and place > 1"
    );
    let count = execute(connection, statement).await?;
    if count > 0 {
        let why = "are imported without their address, because another account has the same one";
        left.push(LeftOut { kind: format!("{count} accounts"), name: String::new(), why });
    }
    Ok(())
}

async fn refuse_known(connection: &mut PgConnection) -> anyhow::Result<()> {
    let query = format!(
        "select coalesce(users.email, users.id::text), count(*) over () from auth.users
         where id in (select id::uuid from {STAGED_USERS}) or email in (select lower(email) from {STAGED_USERS} where email <> '') order by 1 limit {SHOWN}"
    );
    let known: Vec<(String, i64)> = sqlx::query_as(AssertSqlSafe(query)).fetch_all(connection).await?;
    let Some((_, count)) = known.first() else { return Ok(()) };
    let (count, more) = (*count, *count - i64::try_from(known.len())?);
    let shown = known.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    bail!(
        "{count} accounts of the dump already exist in Serasi: {shown}{more}; delete them there or in the dump's project first"
    );
}

/// # Errors
/// When a row does not fit.
pub async fn identities(
    connection: &mut PgConnection,
    columns: &[String],
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<u64> {
    let table = STAGED_IDENTITIES;
    // Until 2023, the provider's id was the identity's id.
    let (mut names, mut values) = lists(&IDENTITIES, columns);
    if !has(columns, "provider_id") {
        let others: Vec<String> = columns.iter().filter(|column| *column != "id").cloned().collect();
        (names, values) = lists(&IDENTITIES, &others);
        names += ", provider_id";
        values += ", id";
    }
    let insert = format!("insert into auth.identities ({names}) select {values} from {table}");
    let count = execute(connection, insert).await.context("the identities can't be imported")?;
    let query =
        format!("select provider, count(*) from {table} where provider <> 'email' group by 1 order by 1");
    let others: Vec<(String, i64)> = sqlx::query_as(AssertSqlSafe(query)).fetch_all(connection).await?;
    left.extend(others.into_iter().map(|(provider, count)| LeftOut {
        kind: format!("{count} identities of"),
        name: provider,
        why: "are imported, but signing in with this provider is not supported: their users set a password by e-mail",
    }));
    Ok(count)
}

/// Returns the number of new buckets. One that exists keeps its settings.
///
/// # Errors
/// When a row does not fit.
pub async fn buckets(
    connection: &mut PgConnection,
    columns: &[String],
    left: &mut Vec<LeftOut>,
) -> anyhow::Result<u64> {
    let table = STAGED_BUCKETS;
    let query = format!("select id from {table} where id in (select id from storage.buckets) order by 1");
    let known: Vec<String> = sqlx::query_scalar(AssertSqlSafe(query)).fetch_all(&mut *connection).await?;
    left.extend(known.into_iter().map(|name| LeftOut {
        kind: "bucket".into(),
        name,
        why: "already exists and keeps its settings; its objects are imported",
    }));
    let (names, values) = lists(&BUCKETS, columns);
    let insert = format!(
        "insert into storage.buckets ({names}) select {values} from {table} on conflict (id) do nothing"
    );
    execute(connection, insert).await.context("the buckets can't be imported")
}

async fn execute(connection: &mut PgConnection, statement: String) -> anyhow::Result<u64> {
    Ok(sqlx::query(AssertSqlSafe(statement)).persistent(false).execute(connection).await?.rows_affected())
}
