-- Mistakes in tables, indexes and extensions that cause no error.
\ir ../setup.sql
\ir ../lint.sql

insert into lint (name, offence, query) values
('DB-1 S0013 a table without forced row security', 'alter table app.gigs no force row level security', $$
  select oid::regclass from pg_class where relkind in ('r', 'p') and relnamespace in (select oid from ours) and not (relrowsecurity and relforcerowsecurity)$$),
('S0016 S0017 a materialized view or foreign table: row security does not cover them', 'create materialized view app.counted as select 1 as number', $$
  select oid::regclass from pg_class where relkind in ('m', 'f') and relnamespace in (select oid from ours)$$),
('a relation not owned by serasi_owner', 'create table app.mine (id integer primary key)', $$
  select oid::regclass, relowner::regrole from pg_class where relnamespace in (select oid from ours) and relowner <> 'serasi_owner'::regrole$$),
('DB-10 a missing event trigger for new tables', 'alter event trigger secure_new_tables disable', $$
  select where not exists (select from pg_event_trigger where evtname = 'secure_new_tables' and evtenabled = 'O' and evtevent = 'ddl_command_end')$$),
-- Nobody deletes rows of lists of constants.
('S0001 a foreign key without an index', 'drop index app.favorites_influencer_id', $$
  select conrelid::regclass, conname from pg_constraint where contype = 'f' and connamespace in (select oid from ours)
    and confrelid not in ('serasi.mail_templates'::regclass, 'app.audit_actions'::regclass)
    and not exists (select from pg_index where indrelid = conrelid and indpred is null and indisvalid
      and (indkey::smallint[])[0 : cardinality(conkey) - 1] operator(pg_catalog.@>) conkey)$$),
-- Embedding by table name must be unambiguous. So at most one foreign key connects two tables, and no table's primary key
-- contains two foreign keys, because the gateway would use it as a junction: a second relationship between the two.
('two foreign keys between two tables', 'alter table app.gigs add column other_agency uuid references app.agencies (id)', $$
  select least(conrelid, confrelid)::regclass, greatest(conrelid, confrelid)::regclass from pg_constraint
  where contype = 'f' and connamespace = 'app'::regnamespace group by least(conrelid, confrelid), greatest(conrelid, confrelid) having count(*) > 1$$),
('a junction table', 'alter table app.favorites add foreign key (user_id) references app.profiles (id)', $$
  select key.conrelid::regclass from pg_constraint as key
  join pg_constraint as reference on reference.conrelid = key.conrelid and reference.contype = 'f' and reference.conkey <@ key.conkey
  join pg_class on pg_class.oid = reference.confrelid and pg_class.relnamespace = 'app'::regnamespace
  where key.contype = 'p' and key.connamespace = 'app'::regnamespace group by key.conrelid having count(*) > 1$$),
('S0004 a table without a primary key', 'alter table app.newsletter_subscriptions drop constraint newsletter_subscriptions_pkey', $$
  select oid::regclass from pg_class where relkind in ('r', 'p') and relnamespace in (select oid from ours)
    and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)$$),
('S0009 a duplicate index', 'create index again on app.gigs (created_at desc, id desc)', $$
  select indrelid::regclass, array_agg(indexrelid::regclass) from pg_index
  join pg_class on pg_class.oid = indexrelid
  where relnamespace in (select oid from ours)
  group by indrelid, relam, indkey::text, indclass::text, indcollation::text, indoption::text, pg_get_expr(indexprs, indrelid), pg_get_expr(indpred, indrelid)
  having count(*) > 1$$),
('S0030 an invalid index', 'update pg_index set indisvalid = false where indexrelid = ''app.gigs_newest''::regclass', $$
  select indexrelid::regclass from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace in (select oid from ours) and not (indisvalid and indisready)$$),
('S0030 a table without autovacuum', 'alter table app.gigs set (autovacuum_enabled = false)', $$
  select oid::regclass from pg_class where relnamespace in (select oid from ours) and exists (select from unnest(reloptions) as option where option ~ '^(toast\.)?autovacuum_enabled=(false|off|no|0)')$$),
('S0018 a column type that pg_upgrade does not support', 'alter table app.gigs add column rule regprocedure', $$
  select attrelid::regclass, attname from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace in (select oid from ours)
    and atttypid in ('regproc'::regtype, 'regprocedure'::regtype, 'regoper'::regtype, 'regoperator'::regtype, 'regconfig'::regtype, 'regdictionary'::regtype,
      'regnamespace'::regtype, 'regcollation'::regtype)$$),
('S0021 a foreign key to a column of auth.users other than its id', 'alter table app.profiles add foreign key (email) references auth.users (email)', $$
  select conrelid::regclass, conname from pg_constraint
  where contype = 'f' and confrelid in (select oid from pg_class where relnamespace = 'auth'::regnamespace)
    and not exists (select from pg_index where indrelid = confrelid and indisprimary and indkey::smallint[] operator(pg_catalog.@>) confkey)$$),
('S0014 an extension in public', 'alter extension pg_trgm set schema public', $$
  select extname from pg_extension where extnamespace in (select oid from ours)$$),
('S0022 an outdated extension', 'update pg_extension set extversion = ''0.1'' where extname = ''pg_trgm''', $$
  select name from pg_available_extensions where installed_version <> default_version$$),
('a constraint that is not validated', 'alter table app.gigs add constraint gigs_new check (title <> ''x'') not valid', $$
  select conrelid::regclass, conname from pg_constraint where connamespace in (select oid from ours) and not convalidated$$),
('a check constraint not named after its table', 'alter table app.gigs add constraint rule_one check (title <> ''x'')', $$
  select conrelid::regclass, conname from pg_constraint where contype = 'c' and connamespace in (select oid from ours) and conrelid <> 0
    and not starts_with(conname, (select relname || '_' from pg_class where oid = conrelid))$$),
('a disabled trigger', 'alter table app.moderation disable trigger keep_approval', $$
  select tgrelid::regclass, tgname from pg_trigger where tgenabled not in ('O', 'A') and tgrelid in (select oid from pg_class where relnamespace in (select oid from ours))$$),
('a foreign key whose triggers are disabled', 'alter table app.gigs disable trigger all', $$
  select tgrelid::regclass, tgname from pg_trigger where tgisinternal and tgenabled <> 'O' and tgrelid in (select oid from pg_class where relnamespace in (select oid from ours))$$);

select * from tests.lints();
\ir ../finish.sql
