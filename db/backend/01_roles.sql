-- The roles. They belong to the whole cluster: another database may have created them already. The user is a superuser, or on a
-- managed server the owner of the database (docs/decisions/032-managed-postgresql.md).
do $$
declare
  installer pg_catalog.pg_roles;
  may_bypass boolean;
  wanted record;
begin
  select * into installer from pg_catalog.pg_roles where rolname = current_user;
  if not installer.rolsuper and not (installer.rolcreaterole and installer.rolinherit
    and pg_has_role((select datdba from pg_catalog.pg_database where datname = current_database()), 'usage'))
  then
    raise exception 'the user % needs the options CREATEROLE and INHERIT, and must own the database: alter role % createrole inherit; alter database % owner to %',
      current_user, quote_ident(current_user), quote_ident(current_database()), quote_ident(current_user);
  end if;
  may_bypass := installer.rolsuper or installer.rolbypassrls and current_setting('server_version_num')::integer >= 160000;
  for wanted in
    select * from (values
      ('serasi_owner',  'nologin noinherit'),            -- owns every object; row security is forced on it, too
      ('anon',          'nologin noinherit'),            -- a visitor
      ('authenticated', 'nologin noinherit'),            -- anybody signed in
      ('service_role',  'nologin noinherit'),            -- the operator's own programs
      ('authenticator', 'login noinherit'),              -- the gateway's login: may become the three above, and nothing else
      ('auth_admin',    'login noinherit'),              -- the auth service's login: schema auth only
      ('storage_admin', 'login noinherit'),              -- the storage service's login: schema storage, and may become the three
      ('functions_admin', 'login noinherit')             -- the functions' login: mails and scheduled work
    ) as roles (name, options)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I %s nosuperuser nocreatedb nocreaterole noreplication', wanted.name, wanted.options);
      -- Otherwise each table has a policy for it (serasi.reset_access).
      if wanted.name = 'service_role' and may_bypass then
        alter role service_role bypassrls;
      end if;
    elsif wanted.options like 'nologin%' and exists (select from pg_catalog.pg_roles where rolname = wanted.name and rolcanlogin) then
      raise exception 'the role % can log in, so it is not Serasi''s: alter role % rename to …', wanted.name, wanted.name;
    end if;
  end loop;

  -- A login for developers, who own what they create in public. It can't bypass row security or reach other schemas' rows.
  if not exists (select from pg_catalog.pg_roles where rolname = 'developer') then
    create role developer login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
    comment on role developer is 'owns the tables of Serasi''s developers';
  elsif exists (select from pg_catalog.pg_roles where rolname = 'developer' and (
    rolsuper or rolbypassrls or rolcreaterole or rolreplication
    or pg_catalog.shobj_description(oid, 'pg_authid') is distinct from 'owns the tables of Serasi''s developers'))
  then
    raise exception 'the role developer exists and is not Serasi''s: alter role developer rename to …';
  end if;

  -- Functions may read the state of the replicas. These roles inherit nothing, and PostgreSQL 15 can't make an exception:
  -- replicas have no details there, nor if the user may not grant it.
  if current_setting('server_version_num')::integer >= 160000 then
    begin
      execute 'grant pg_read_all_stats to serasi_owner with inherit true, set false';
    exception when insufficient_privilege then
      raise notice 'the state of replicas has no details';
    end;
  end if;

  -- To own objects, and to see all rows: a superuser does without. Not the roles of visitors, whose policies would apply as well.
  if not installer.rolsuper and not (
    pg_has_role('serasi_owner', 'usage') and pg_has_role('service_role', 'usage') and pg_has_role('developer', 'usage'))
  then
    grant serasi_owner, service_role, developer to current_user;
  end if;
end $$;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to storage_admin;

-- SET ROLE does not apply these: the gateway and the services read pg_db_role_setting and apply them to the transaction, as
-- PostgREST does. Those of the login roles are a safety net.
alter role anon          set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role service_role  set statement_timeout = '60s';
alter role authenticator set statement_timeout = '8s';
alter role auth_admin    set statement_timeout = '10s';
alter role storage_admin set statement_timeout = '10s';
alter role functions_admin set statement_timeout = '10s';
-- Shorter than the statement's: a visitor's lock is reported as a lock, so that the gateway answers 503 with Retry-After, not 500.
alter role anon          set lock_timeout = '2s';
alter role authenticator set lock_timeout = '5s';
alter role auth_admin    set lock_timeout = '5s';
alter role storage_admin set lock_timeout = '5s';
alter role functions_admin set lock_timeout = '5s';
alter role authenticator set idle_in_transaction_session_timeout = '15s';
alter role auth_admin    set idle_in_transaction_session_timeout = '15s';
alter role storage_admin set idle_in_transaction_session_timeout = '60s';
alter role functions_admin set idle_in_transaction_session_timeout = '15s';

-- The services' sessions resolve names in pg_catalog only. With `public` in the path, a function there that fits the arguments
-- better is called instead of PostgreSQL's. The gateway sets the path of each request's transaction.
alter role authenticator set search_path = pg_catalog, pg_temp;
alter role auth_admin    set search_path = pg_catalog, pg_temp;
alter role storage_admin set search_path = pg_catalog, pg_temp;
alter role functions_admin set search_path = pg_catalog, pg_temp;

-- Tables in memory or on a solid-state disk. Pages are small, and another process helps only requests that count a large part of
-- a table. At the default of 4, a hundred accounts are all read to find one.
alter role authenticator set random_page_cost = 1.1;
alter role authenticator set jit = off;
alter role authenticator set parallel_setup_cost = 20000;
alter role auth_admin    set random_page_cost = 1.1;
alter role functions_admin set random_page_cost = 1.1;
