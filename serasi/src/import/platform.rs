//! Supabase's platform: its schemas and tables, and why their rows are left out.

/// Schemas that Supabase or its extensions create and manage, as a pattern of `pg_dump`.
pub const SCHEMAS: &str = "auth|storage|extensions|graphql|graphql_public|realtime|_realtime|vault|pgsodium|pgsodium_masks|pgbouncer|\
    supabase_functions|supabase_migrations|net|cron|pgmq|pgmq_public|_analytics|_supavisor|etl|repack|tiger|tiger_data|topology|pgtle|\
    dbdev";

pub fn is_platform(schema: &str) -> bool {
    SCHEMAS.split('|').any(|name| name == schema)
}

/// Extensions that only serve the platform.
const EXTENSIONS: &str =
    "pg_cron|pg_graphql|pg_net|pg_stat_monitor|pg_stat_statements|pgaudit|pgjwt|pgsodium|supabase_vault";

pub fn is_platform_extension(name: &str) -> bool {
    EXTENSIONS.split('|').any(|extension| extension == name)
}

/// Whether errors in this schema don't matter: nothing of it is imported.
pub fn is_ignored(schema: &str) -> bool {
    is_platform(schema) && schema != "auth" && schema != "storage" || schema == "pg_catalog"
}

/// Why the rows of a table of the platform are left out. `None`: the table only records versions.
pub fn why_left(schema: &str, table: &str) -> Option<&'static str> {
    Some(match (schema, table) {
        (_, table) if table.ends_with("migrations") => return None,
        ("supabase_migrations", _) => return None,
        ("auth", "sessions" | "refresh_tokens" | "mfa_amr_claims") => {
            "left out on purpose: users sign in again"
        }
        ("auth", "one_time_tokens" | "flow_state") => {
            "left out on purpose: links in old mails no longer work"
        }
        ("auth", "mfa_factors" | "mfa_challenges") => "left out: users enroll their second factor again",
        ("auth", "sso_providers" | "sso_domains" | "saml_providers" | "saml_relay_states") => {
            "left out: single sign-on is not supported"
        }
        ("vault", _) => "left out: there is no vault; configure the secrets in the programs that need them",
        ("cron", _) => "left out: pg_cron is not supported; run the jobs with the system's scheduler",
        ("storage", "s3_multipart_uploads" | "s3_multipart_uploads_parts") => "left out: unfinished uploads",
        ("supabase_functions" | "net", _) => "left out: database webhooks are not supported",
        _ => "left out: it belongs to Supabase's platform",
    })
}
