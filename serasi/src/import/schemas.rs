//! The schemas and roles of a Supabase project: which belong to the platform, and which to the project.

use super::tokens::Name;

/// Schemas that Supabase or its extensions create and manage.
const PLATFORM: [&str; 27] = [
    "auth",
    "storage",
    "extensions",
    "graphql",
    "graphql_public",
    "realtime",
    "_realtime",
    "vault",
    "pgsodium",
    "pgsodium_masks",
    "pgbouncer",
    "supabase_functions",
    "supabase_migrations",
    "net",
    "cron",
    "pgmq",
    "pgmq_public",
    "_analytics",
    "_supavisor",
    "etl",
    "repack",
    "tiger",
    "tiger_data",
    "topology",
    "pgtle",
    "information_schema",
    "dbdev",
];

/// Roles that the API or its gateway uses. Other roles get no privileges.
const ROLES: [&str; 5] = ["anon", "authenticated", "service_role", "authenticator", "public"];

/// Roles of the platform. The report does not list their privileges.
const PLATFORM_ROLES: [&str; 8] = [
    "postgres",
    "dashboard_user",
    "pgbouncer",
    "pgtle_admin",
    "import_owner",
    "current_user",
    "session_user",
    "cli_login_postgres",
];

/// Extensions that only serve the platform.
const PLATFORM_EXTENSIONS: [&str; 9] = [
    "plpgsql",
    "pg_graphql",
    "pg_stat_statements",
    "pgsodium",
    "supabase_vault",
    "pgjwt",
    "pg_net",
    "pgaudit",
    "pg_stat_monitor",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The project's own schema: it is imported.
    Own,
    /// A schema of the platform: rows of some tables are imported.
    Platform,
    /// In a schema with the name of one of ours.
    Ours,
}

pub fn place(schema: &str) -> Place {
    match schema {
        "app" | "migration" => Place::Ours,
        _ if PLATFORM.contains(&schema) || schema.starts_with("pg_") => Place::Platform,
        _ => Place::Own,
    }
}

pub fn is_own(name: &Name) -> bool {
    place(&name.schema) != Place::Platform
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Known,
    Platform,
    Unknown,
}

pub fn role(name: &str) -> Role {
    match name {
        _ if ROLES.contains(&name) => Role::Known,
        // Hooks of the auth server are functions that this role may call.
        "supabase_auth_admin" => Role::Unknown,
        _ if PLATFORM_ROLES.contains(&name) || name.starts_with("supabase_") || name.starts_with("pg") => {
            Role::Platform
        }
        _ => Role::Unknown,
    }
}

pub fn is_platform_extension(name: &str) -> bool {
    PLATFORM_EXTENSIONS.contains(&name)
}

/// The tables of the platform whose rows are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Staged {
    Users,
    Identities,
    Buckets,
    Objects,
}

impl Staged {
    pub const ALL: [Self; 4] = [Self::Users, Self::Identities, Self::Buckets, Self::Objects];

    pub fn of(name: &Name) -> Option<Self> {
        Self::ALL.into_iter().find(|staged| staged.original() == name.to_string())
    }

    /// The table's name, in the dump and in Serasi.
    pub fn original(self) -> &'static str {
        match self {
            Self::Users => "auth.users",
            Self::Identities => "auth.identities",
            Self::Buckets => "storage.buckets",
            Self::Objects => "storage.objects",
        }
    }

    /// The temporary table with the rows as the dump has them. All its columns are texts.
    pub fn table(self) -> &'static str {
        match self {
            Self::Users => "pg_temp.import_users",
            Self::Identities => "pg_temp.import_identities",
            Self::Buckets => "pg_temp.import_buckets",
            Self::Objects => "pg_temp.import_objects",
        }
    }
}

/// Why the rows of a table of the platform are left out.
pub fn why_left(name: &Name) -> &'static str {
    match (name.schema.as_str(), name.name.as_str()) {
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
    }
}
