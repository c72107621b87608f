-- Roles: their attributes, the roles that they may become, and the default privileges of new objects.
\ir ../setup.sql
\ir ../lint.sql

insert into lint (name, offence, query) values
('DB-8 a role that may administer the cluster', 'alter role authenticator createrole', $$
  select rolname from pg_roles where rolname in (select rolname from stranger union values ('serasi_owner'))
    and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolinherit)$$),
('DB-8 a role that bypasses row security', 'alter role storage_admin bypassrls', $$
  select rolname from pg_roles where rolbypassrls and rolname <> 'service_role' and rolname in (select rolname from stranger union values ('serasi_owner'))$$),
('DB-8 a group role that may log in', 'alter role service_role login', $$
  select rolname from pg_roles where rolcanlogin and rolname in ('anon', 'authenticated', 'service_role', 'serasi_owner')$$),
('DB-8 an unexpected role membership', 'grant serasi_owner to authenticator', $$
  select member::regrole, roleid::regrole from pg_auth_members
  where (member in (select oid from stranger) or member = 'serasi_owner'::regrole or roleid = 'serasi_owner'::regrole)
    and not (member::regrole::text in ('authenticator', 'storage_admin') and roleid::regrole::text in ('anon', 'authenticated', 'service_role'))
    and not (member = 'serasi_owner'::regrole and roleid = 'pg_read_all_stats'::regrole)$$),
('DB-9 default privileges that make functions executable by PUBLIC', 'alter default privileges for role serasi_owner grant execute on functions to public', $$
  select maker from unnest(array['serasi_owner'::regrole, current_user::regrole]) as maker
  where not exists (select from pg_default_acl where defaclrole = maker and defaclobjtype = 'f' and defaclnamespace = 0
    and not exists (select from aclexplode(defaclacl) where grantee = 0))$$),
('DB-9 default privileges that grant types to PUBLIC', 'alter default privileges for role serasi_owner grant usage on types to public', $$
  select where not exists (select from pg_default_acl where defaclrole = 'serasi_owner'::regrole and defaclobjtype = 'T' and defaclnamespace = 0
    and not exists (select from aclexplode(defaclacl) where grantee = 0))$$),
('DB-9 default privileges for an API role', 'alter default privileges for role serasi_owner in schema app grant select on tables to anon', $$
  select defaclrole::regrole, defaclobjtype from pg_default_acl cross join lateral aclexplode(defaclacl) where (grantee = 0 or grantee in (select oid from stranger))
    -- What a developer creates, and serial columns of a superuser's tables.
    and defaclrole <> 'developer'::regrole and not (defaclobjtype = 'S' and defaclnamespace = 'public'::regnamespace)$$),
('DB-12 a role without timeouts', 'alter role anon reset statement_timeout', $$
  select rolname, timeout from stranger join pg_roles using (oid, rolname)
  cross join unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as timeout
  -- The other timeouts are those of the login that becomes the role.
  where (rolcanlogin or timeout = 'statement_timeout' or (rolname = 'anon' and timeout = 'lock_timeout'))
    and not exists (
      select from pg_db_role_setting cross join unnest(setconfig) as setting
      where setrole = pg_roles.oid and setdatabase = 0 and setting ~ ('^' || timeout || '=[1-9][0-9]?s$'))$$),
('DB-12 a timeout overridden for a database', 'alter role anon in database :"DBNAME" set statement_timeout = 0', $$
  select setrole::regrole, setting from pg_db_role_setting cross join unnest(setconfig) as setting where setdatabase <> 0 and setrole in (select oid from stranger)$$);
update lint set offence = replace(offence, ':"DBNAME"', quote_ident(current_database()));

select * from tests.lints();
\ir ../finish.sql
