//! Which schemas, roles and extensions of a dump belong to Supabase's platform, to Serasi, or to the project.

use super::tokens::Name;

/// Schemas that Serasi creates and manages. `public` is shared with the operator.
pub const OURS: [&str; 5] = ["app", "auth", "extensions", "migration", "storage"];

/// Owns imported objects. Like Supabase's `postgres`, it reads the rows of all users in its security definer functions.
pub const OWNER: &str = "import_owner";

/// Owns Serasi's objects.
pub const OUR_OWNER: &str = "serasi_owner";

/// Serasi's roles that can have privileges on the operator's objects, in addition to [`ROLES`].
const OUR_ROLES: [&str; 3] = [OUR_OWNER, "auth_admin", "storage_admin"];

/// Schemas that Supabase or its extensions create and manage.
const PLATFORM: [&str; 26] = [
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
const PLATFORM_EXTENSIONS: [&str; 8] = [
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
    /// A schema with the name of one of Serasi's schemas.
    Ours,
}

/// Where a dump comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A project of Supabase.
    Supabase,
    /// A Serasi database: the dump in a backup.
    Backup,
}

impl Origin {
    pub fn place(self, schema: &str) -> Place {
        let is_postgres = schema == "information_schema" || schema.starts_with("pg_");
        match (self, schema) {
            (Self::Supabase, "app" | "migration") => Place::Ours,
            (Self::Supabase, _) if is_postgres || PLATFORM.contains(&schema) => Place::Platform,
            (Self::Backup, _) if is_postgres || OURS.contains(&schema) => Place::Platform,
            _ => Place::Own,
        }
    }

    pub fn is_own(self, name: &Name) -> bool {
        self.place(&name.schema) != Place::Platform
    }

    pub fn role(self, name: &str) -> Role {
        match name {
            _ if ROLES.contains(&name) => Role::Known,
            _ if self == Self::Backup && OUR_ROLES.contains(&name) => Role::Known,
            // Hooks of the auth server are functions that this role may call.
            "supabase_auth_admin" => Role::Unknown,
            _ if PLATFORM_ROLES.contains(&name) => Role::Platform,
            _ if self == Self::Supabase && (name.starts_with("supabase_") || name.starts_with("pg")) => {
                Role::Platform
            }
            _ => Role::Unknown,
        }
    }

    pub fn is_platform_extension(self, name: &str) -> bool {
        name == "plpgsql" || self == Self::Supabase && PLATFORM_EXTENSIONS.contains(&name)
    }

    /// The table of the platform, if its rows are imported. In a backup, those rows are in other files.
    pub fn staged(self, name: &Name) -> Option<Staged> {
        Staged::of(name).filter(|_| self == Self::Supabase)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Known,
    Platform,
    Unknown,
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

    /// The table's name, which is the same in the dump and in Serasi.
    pub fn original(self) -> &'static str {
        match self {
            Self::Users => "auth.users",
            Self::Identities => "auth.identities",
            Self::Buckets => "storage.buckets",
            Self::Objects => "storage.objects",
        }
    }

    /// The staging table with the rows of the dump, unchanged. All its columns have the type text.
    pub fn table(self) -> &'static str {
        match self {
            Self::Users => "import_staging.users",
            Self::Identities => "import_staging.identities",
            Self::Buckets => "import_staging.buckets",
            Self::Objects => "import_staging.objects",
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
