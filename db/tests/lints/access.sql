-- Views, functions and privileges that would bypass policies.
\ir ../setup.sql
\ir ../lint.sql

insert into lint (name, offence, query) values
('DB-7 S0010 a view without security_invoker', 'alter view public.gigs set (security_invoker = false)', $$
  select relation, problem from auth.unprotected_relations() join pg_class on pg_class.oid = relation where relnamespace in (select oid from ours)$$),
('S0002 a view that exposes auth.users', 'create view public.people with (security_invoker = true) as select id, email from auth.users', $$
  select distinct rewritten.ev_class::regclass from pg_rewrite as rewritten
  join pg_depend on classid = 'pg_rewrite'::regclass and objid = rewritten.oid and refclassid = 'pg_class'::regclass
  join pg_class as shown on shown.oid = rewritten.ev_class and shown.relnamespace = 'public'::regnamespace
  join pg_class as source on source.oid = refobjid and source.relnamespace = 'auth'::regnamespace$$),
('S0023 a view that exposes a secret', 'create view public.keys with (security_invoker = true) as select token_hash from auth.refresh_tokens', $$
  select attrelid::regclass, attname from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind <> 'i' and attname ~ 'password|secret|token|hash|api_?key|card|ssn'$$),
('DB-6 S0028 S0029 an exposed security definer function', 'create function public.all_powerful() returns integer language sql security definer set search_path = '''' as ''select 1''', $$
  select oid::regprocedure from pg_proc where prosecdef and pronamespace = 'public'::regnamespace$$),
-- Functions of the owner call it as the owner in any case. Operators may start a part of the schedule by hand.
('DB-6 a security definer function that nobody but its owner may call', 'revoke execute on function app.is_admin() from anon, authenticated, service_role, auth_admin', $$
  select oid::regprocedure from pg_proc where prosecdef and pronamespace in (select oid from ours) and prorettype <> 'trigger'::regtype
    and proname !~ '^tick_' and not exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee <> proowner)$$),
('DB-6 a security definer function owned by a superuser', 'alter function app.is_admin() owner to current_user', $$
  select oid::regprocedure, proowner::regrole from pg_proc where prosecdef and pronamespace in (select oid from ours) and proowner <> 'serasi_owner'::regrole$$),
('S0011 a function that uses its caller''s search_path', 'alter function app.is_web_link(text) reset search_path', $$
  select oid::regprocedure from pg_proc where pronamespace in (select oid from ours) and not coalesce('search_path=pg_catalog, pg_temp' = any (proconfig), false)
    -- Names in a parsed body (begin atomic) don't depend on the search_path.
    and prosqlbody is null
    -- These two qualify every name; plans/search.sql calls them with a hostile search_path.
    and oid not in ('app.label_like(app.label, app.label)'::regprocedure, 'app.label_ilike(app.label, app.label)'::regprocedure)$$),
-- On a managed server, a policy replaces BYPASSRLS. pg_has_role('service_role', 'usage') spares the service key and superusers.
('a rule that spares the service key only if it bypasses row security', 'create function app.spared() returns boolean language sql stable set search_path = pg_catalog, pg_temp as ''select row_security_active(1259::oid)''', $$
  select oid::regprocedure::text from pg_proc where pronamespace in (select oid from ours) and prosrc ~ 'row_security_active'
  union all select pg_get_triggerdef(oid) from pg_trigger where pg_get_triggerdef(oid) ~ 'row_security_active'$$),
-- Besides the function that checks the account, these two only read: how many enquiries the caller can send, and whether
-- there is another superadmin.
('a security definer function that a deleted or banned account can use', 'create function app.late() returns uuid language sql stable security definer set search_path = '''' as ''select auth.uid()''; grant execute on function app.late() to authenticated', $$
  select oid::regprocedure from pg_proc
  where prosecdef and pronamespace in (select oid from ours) and has_function_privilege('authenticated', oid, 'execute') and prosrc ~ 'auth\.uid\('
    and prosrc !~ '(app|auth)\.(account_id|is_active|is_admin|is_superadmin|has_second_step|decides_on)\('
    and oid not in ('auth.account_id()'::regprocedure, 'app.own_enquiries_left()'::regprocedure, 'app.is_last_superadmin()'::regprocedure)$$),
('DB-5 DB-9 a function executable by PUBLIC', 'grant execute on function app.is_admin() to public', $$
  select oid::regprocedure from pg_proc where pronamespace in (select oid from ours)
    and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)$$),
('a trigger function that an API role may execute', 'grant execute on function app.keep_approval() to authenticated', $$
  select pg_proc.oid::regprocedure, rolname from pg_proc cross join stranger
  where pronamespace in (select oid from ours) and prorettype in ('trigger'::regtype, 'event_trigger'::regtype) and has_function_privilege(stranger.oid, pg_proc.oid, 'execute')$$),
('a function that executes SQL text from its caller', 'create function app.query(query text) returns void language plpgsql set search_path = '''' as ''begin execute query; end''; grant execute on function app.query(text) to authenticated', $$
  select pg_proc.oid::regprocedure, rolname from pg_proc cross join stranger
  where pronamespace in (select oid from ours) and has_function_privilege(stranger.oid, pg_proc.oid, 'execute')
    and prosrc ~* ('execute\s+(' || array_to_string(coalesce(nullif(proargnames, '{}'), array['\$1']), '|') || ')\M')$$),
('a function that reads files of the server', 'grant execute on function pg_read_file(text) to authenticated', $$
  select pg_proc.oid::regprocedure, rolname from pg_proc cross join stranger
  where proname ~ '^(pg_read_(binary_)?file|pg_ls_(dir|logdir|waldir|tmpdir|archive_statusdir)|pg_stat_file|lo_import|lo_export|pg_file_.*|dblink.*)$' and has_function_privilege(stranger.oid, pg_proc.oid, 'execute')$$),
('an untrusted language', 'update pg_language set lanpltrusted = false where lanname = ''plpgsql''', $$
  select lanname from pg_language where not lanpltrusted and lanname not in ('c', 'internal')$$),
('DB-2 a privilege granted to PUBLIC', 'grant select on app.gigs to public', $$
  select relation, act from privilege where grantee = 0$$),
('DB-2 a write privilege of anon', 'grant update (title) on app.gigs to anon', $$
  select relation, field, act from privilege where who = 'anon' and act <> 'select'
    and (relation, act) not in (('public.newsletter_subscriptions'::regclass, 'insert'), ('app.newsletter_subscriptions'::regclass, 'insert'))$$),
('DB-2 DB-3 a privilege to truncate, reference, or create triggers', 'grant trigger on app.gigs to service_role', $$
  select relation, who, act from privilege where act not in ('select', 'insert', 'update', 'delete') and relkind <> 'S'
    and not (who = 'developer' and act = 'references' and field = 'id')$$),
('DB-3 a write privilege on a whole table', 'grant update on app.gigs to authenticated', $$
  select relation, act from privilege join pg_class on pg_class.oid = relation
  where who = 'authenticated' and act in ('insert', 'update') and field is null and relnamespace = 'app'::regnamespace$$),
('a key column that its owner may write', 'grant update (user_id) on app.influencers to authenticated', $$
  select relation, field from privilege join pg_index on indrelid = relation and indisunique
  join pg_attribute on attrelid = relation and attnum = any (indkey) and attname = field
  where who in ('anon', 'authenticated') and act = 'update' and field <> 'username'$$),
-- In the profile tables, owners may write all columns except those for admins, generated ones and fixed ones.
('an owner''s column that is not theirs, or a missing one', 'grant update (approved) on app.influencers to authenticated', $$
  select attrelid::regclass, attname, privilege from pg_attribute cross join unnest(array['insert', 'update']) as privilege
  where attrelid in ('app.influencers'::regclass, 'app.agencies'::regclass, 'app.vendors'::regclass) and attnum > 0
    and has_column_privilege('authenticated', attrelid, attnum, privilege) <> (
      attname not in ('id', 'created_at', 'approved', 'badge_type', 'review_count', 'rating_sum') and attgenerated = ''
      and (attname <> 'user_id' or privilege = 'insert'))$$),
('a privilege of another role, such as the gateway''s login', 'grant select on app.gigs to authenticator', $$
  select relation, field, who from privilege
  where grantee <> 0 and who not in ('anon', 'authenticated', 'service_role', 'auth_admin', 'storage_admin', 'functions_admin', 'developer')$$),
('a privilege on a sequence', 'grant usage on sequence app.audit_log_id_seq to authenticated', $$
  select relation, who from privilege where relkind = 'S'$$),
('a privilege of the service key in schema auth', 'grant select on auth.users to service_role', $$
  select relation, who, act from privilege join pg_class on pg_class.oid = relation where relnamespace = 'auth'::regnamespace and who not in ('auth_admin', 'developer')$$),
('DB-9 a schema in which an API role may create objects', 'grant create on schema public to authenticated', $$
  select nspname, rolname from pg_namespace cross join stranger
  where (pg_namespace.oid in (select oid from ours) or nspname = 'extensions') and has_schema_privilege(stranger.oid, pg_namespace.oid, 'create')$$),
('DB-9 a schema granted to PUBLIC', 'grant usage on schema app to public', $$
  select nspname from pg_namespace cross join aclexplode(nspacl)
  where (pg_namespace.oid in (select oid from ours) or nspname = 'extensions') and grantee = 0$$),
('DB-9 an extension''s function executable by PUBLIC', 'grant execute on function extensions.similarity(text, text) to public', $$
  select oid::regprocedure from pg_proc where pronamespace = 'extensions'::regnamespace
    and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)$$),
('DB-9 usage of an unexpected schema', 'create schema attic; grant usage on schema attic to anon', $$
  select pg_namespace.nspname, rolname from pg_namespace cross join stranger
  where pg_namespace.oid not in (select oid from ours) and nspname not in ('pg_catalog', 'information_schema', 'tap', 'tests') and nspname !~ '^pg_(toast_)?temp'
    and has_schema_privilege(stranger.oid, pg_namespace.oid, 'usage')$$),
('DB-9 a type granted to PUBLIC', 'create domain app.word as text', $$
  select oid::regtype from pg_type where typnamespace in (select oid from ours) and typtype in ('d', 'e')
    and exists (select from aclexplode(coalesce(typacl, acldefault('T', typowner))) where grantee = 0)$$);

select * from tests.lints();
\ir ../finish.sql
