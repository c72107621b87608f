use super::*;

/// Describes each action in words, for the expectations.
fn kind(sql: &str) -> String {
    match classify(sql, Origin::Supabase) {
        Action::Nothing => "nothing".into(),
        Action::Run { creates: Some(name) } => format!("run, creates {name}"),
        Action::Run { creates: None } => "run".into(),
        Action::Later => "later".into(),
        Action::Secure(name) => format!("secure {name}"),
        Action::Force(name) => format!("force {name}"),
        Action::OnOurTable { kind, name, table, .. } => format!("{kind} {name} on {table}"),
        Action::Columns(staged, columns) => {
            format!("columns of {}: {}", staged.original(), columns.join(" "))
        }
        Action::Rows(rows) => format!(
            "{:?} into {} of {}",
            rows.form,
            rows.table,
            match rows.to {
                Destination::Own => "own",
                Destination::Staged(_) => "platform",
                Destination::Nowhere => "nobody",
            }
        ),
        Action::Marked(table, name) => format!("marked {name} on {table}"),
        Action::Ours(name) => format!("ours {name}"),
        Action::Exposed(name) => format!("exposed {name}"),
        Action::Extension(name) => format!("extension {} in {}", name.name, name.schema),
        Action::LeaveOut { kind, name, .. } => format!("left out: {kind} {name}"),
        Action::Refuse(_) => "refused".into(),
    }
}

const UNDERSTOOD: &[(&str, &str)] = &[
    ("SET statement_timeout = 0", "nothing"),
    ("SET SESSION AUTHORIZATION 'postgres'", "nothing"),
    ("SELECT pg_catalog.set_config('search_path', '', false)", "nothing"),
    ("SELECT pg_catalog.setval('public.todos_id_seq', 3, true)", "later"),
    ("SELECT pg_catalog.setval('\"public\".\"todos_id_seq\"', 1, false)", "later"),
    ("SELECT pg_catalog.setval('auth.refresh_tokens_id_seq', 3, true)", "nothing"),
    ("CREATE SCHEMA auth", "nothing"),
    ("CREATE SCHEMA IF NOT EXISTS \"private\"", "run, creates private."),
    (
        "CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" WITH SCHEMA extensions",
        "extension uuid-ossp in extensions",
    ),
    ("CREATE EXTENSION IF NOT EXISTS pg_graphql WITH SCHEMA graphql", "nothing"),
    (
        "CREATE EXTENSION IF NOT EXISTS \"postgis\" WITH SCHEMA \"extensions\"",
        "extension postgis in extensions",
    ),
    (
        "CREATE TABLE auth.users (\n instance_id uuid,\n id uuid NOT NULL,\n \"check\" text DEFAULT concat('a', 'b'),\n CONSTRAINT a CHECK ((id IS NOT NULL))\n)",
        "columns of auth.users: instance_id id check",
    ),
    ("CREATE TABLE auth.audit_log_entries (id uuid)", "nothing"),
    ("CREATE TABLE IF NOT EXISTS \"public\".\"Todos\" (\"id\" bigint)", "run, creates public.Todos"),
    (
        "CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$ begin end $$",
        "run, creates public.f",
    ),
    ("CREATE FUNCTION public.f() RETURNS text LANGUAGE plv8 AS $$ $$", "left out: function public.f"),
    ("CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql AS $$ $$", "nothing"),
    ("CREATE UNIQUE INDEX a ON public.todos USING btree (id)", "run"),
    ("CREATE INDEX a ON ONLY public.todos USING btree (id)", "run"),
    ("CREATE INDEX a ON auth.users USING btree (id)", "nothing"),
    ("CREATE VIEW public.v WITH (security_invoker='true') AS SELECT 1", "run, creates public.v"),
    ("CREATE TYPE public.mood AS ENUM ('a')", "run, creates public.mood"),
    (
        "CREATE POLICY \"own rows; all\" ON public.todos TO authenticated USING ((auth.uid() = owner))",
        "later",
    ),
    ("CREATE POLICY a ON \"storage\".\"objects\" FOR SELECT USING (true)", "policy a on storage.objects"),
    ("CREATE POLICY a ON storage.buckets USING (true)", "policy a on storage.buckets"),
    ("CREATE POLICY a ON storage.migrations USING (true)", "left out: policy a on storage.migrations"),
    ("CREATE POLICY a ON public.t TO dashboard_user USING (true)", "left out: policy a on public.t"),
    ("CREATE POLICY a ON public.t AS RESTRICTIVE TO anon, editor USING (true)", "refused"),
    (
        "CREATE TRIGGER on_auth_user_created AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION public.handle_new_user()",
        "trigger on_auth_user_created on auth.users",
    ),
    ("CREATE TRIGGER t BEFORE UPDATE OF a ON public.todos FOR EACH ROW EXECUTE FUNCTION public.f()", "later"),
    (
        "CREATE TRIGGER hook AFTER INSERT ON public.todos FOR EACH ROW EXECUTE FUNCTION supabase_functions.http_request('http://x')",
        "left out: trigger hook on public.todos",
    ),
    (
        "CREATE TRIGGER t BEFORE UPDATE ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.f()",
        "nothing",
    ),
    (
        "CREATE PUBLICATION supabase_realtime WITH (publish = 'insert')",
        "left out: publication supabase_realtime",
    ),
    ("CREATE EVENT TRIGGER pgrst_ddl_watch ON ddl_command_end EXECUTE FUNCTION extensions.f()", "nothing"),
    (
        "CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION public.f()",
        "left out: event trigger mine",
    ),
    ("CREATE FOREIGN TABLE public.stripe (id text) SERVER s", "left out: foreign table public.stripe"),
    ("CREATE ROLE editor", "left out: role editor"),
    ("CREATE ROLE anon", "nothing"),
    ("ALTER ROLE postgres SUPERUSER", "left out: role postgres"),
    ("ALTER TABLE public.todos OWNER TO postgres", "nothing"),
    ("ALTER TABLE public.todos ENABLE ROW LEVEL SECURITY", "secure public.todos"),
    ("ALTER TABLE ONLY public.todos ADD CONSTRAINT p PRIMARY KEY (id)", "run"),
    ("ALTER TABLE ONLY public.todos ADD CONSTRAINT f FOREIGN KEY (o) REFERENCES auth.users(id)", "later"),
    ("ALTER TABLE ONLY auth.users ADD CONSTRAINT p PRIMARY KEY (id)", "nothing"),
    ("ALTER SEQUENCE public.s OWNED BY public.todos.id", "run"),
    (
        "ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public GRANT ALL ON TABLES TO anon",
        "left out: default privileges of new objects",
    ),
    (
        "ALTER PUBLICATION supabase_realtime ADD TABLE ONLY public.todos",
        "left out: publication supabase_realtime",
    ),
    ("GRANT ALL ON TABLE public.todos TO anon", "run"),
    ("GRANT SELECT(id),UPDATE(id) ON TABLE public.todos TO authenticated", "run"),
    ("GRANT ALL ON FUNCTION public.f(a integer, b text) TO service_role", "run"),
    ("REVOKE ALL ON FUNCTION public.f() FROM PUBLIC", "run"),
    ("GRANT ALL ON TABLE public.todos TO postgres WITH GRANT OPTION", "nothing"),
    ("GRANT ALL ON TABLE auth.users TO anon", "nothing"),
    ("GRANT USAGE ON SCHEMA private TO authenticated", "run"),
    ("GRANT USAGE ON SCHEMA public TO anon", "nothing"),
    ("GRANT ALL ON FUNCTION public.hook(event jsonb) TO supabase_auth_admin", "left out: hook public.hook"),
    ("GRANT anon TO authenticator", "nothing"),
    ("COMMENT ON TABLE public.todos IS 'x'", "later"),
    ("COMMENT ON POLICY a ON public.todos IS 'x'", "later"),
    ("COMMENT ON SCHEMA public IS 'x'", "nothing"),
    ("COMMENT ON EXTENSION pgcrypto IS 'x'", "nothing"),
    ("COPY auth.users (id, email) FROM stdin", "Copy into auth.users of platform"),
    ("COPY public.todos (id) FROM stdin", "Copy into public.todos of own"),
    ("COPY auth.sessions (id) FROM stdin", "Copy into auth.sessions of nobody"),
    (
        "INSERT INTO \"public\".\"todos\" (\"id\") VALUES\n\t(1),\n\t(coalesce(2, (3)))",
        "Insert(2) into public.todos of own",
    ),
    ("INSERT INTO public.todos OVERRIDING SYSTEM VALUE VALUES (1)", "Insert(1) into public.todos of own"),
    ("REFRESH MATERIALIZED VIEW public.m", "later"),
];

#[test]
fn statements_of_pg_dump_and_of_the_supabase_cli_are_understood() {
    for (sql, expected) in UNDERSTOOD {
        assert_eq!(kind(sql), *expected, "{sql}");
    }
}

#[test]
fn what_pg_dump_never_writes_is_refused() {
    for sql in [
        "COPY public.todos FROM PROGRAM 'id'",
        "COPY public.todos (id) FROM '/etc/passwd'",
        "COPY public.todos TO '/tmp/x'",
        "COPY (select 1) TO stdout",
        "COPY public.todos FROM stdin WITH (FORMAT csv)",
        "DO $$ begin execute 'alter role import_owner superuser'; end $$",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT pg_catalog.pg_read_file('/etc/passwd')",
        "SELECT pg_catalog.setval('public.s', (select 1), true)",
        "SELECT pg_catalog.setval('public.s', 1, true), pg_sleep(9)",
        "INSERT INTO public.todos SELECT * FROM auth.users",
        "WITH x AS (DELETE FROM app.user_roles) SELECT 1",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "LOAD 'x'",
        "CALL public.p()",
        "TRUNCATE app.user_roles",
        "DELETE FROM app.user_roles",
        "UPDATE app.user_roles SET role = 'superadmin'",
        "DROP TABLE IF EXISTS public.todos",
        "VACUUM",
        "CREATE TABLE todos (id int)",
        "CREATE TEMPORARY TABLE todos (id int)",
        "SET client_encoding = 'LATIN1'",
    ] {
        assert_eq!(kind(sql), "refused", "{sql}");
    }
}

#[test]
fn no_text_makes_the_classifier_panic() {
    let words = [
        "create",
        "alter",
        "table",
        "policy",
        "on",
        "to",
        "grant",
        "\"",
        "'",
        "$$",
        "(",
        ")",
        ".",
        ",",
        "public",
        "copy",
        "from",
        "insert",
        "into",
        "values",
        "trigger",
        "execute",
        "function",
        "select",
        "pg_catalog",
        "setval",
        "comment",
        "schema",
    ];
    // A fixed sequence, so that a failure can be repeated.
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        words[usize::try_from(state >> 33).unwrap() % words.len()]
    };
    for length in 1..12 {
        for _ in 0..2_000 {
            let sql: Vec<&str> = (0..length).map(|_| next()).collect();
            classify(&sql.join(" "), Origin::Backup);
            classify(&sql.concat(), Origin::Supabase);
        }
    }
}
