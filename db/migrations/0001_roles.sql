-- Roles belong to the whole cluster: another database of the same cluster may have made them already,
-- or be making them now. The lock on the shared catalogue makes such migrations take turns.
lock table pg_catalog.pg_authid in share row exclusive mode;

do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('serasi_owner',  'nologin noinherit'),            -- owns every object; row security is forced on it too
      ('anon',          'nologin noinherit'),            -- a visitor
      ('authenticated', 'nologin noinherit'),            -- anybody signed in; what they may do is looked up in app.user_roles
      ('service_role',  'nologin noinherit bypassrls'),  -- the operator's own programs
      ('authenticator', 'login noinherit'),              -- the gateway's login: may become the three above, and nothing else
      ('auth_admin',    'login noinherit'),              -- the auth service's login: schema auth only
      ('storage_admin', 'login noinherit')               -- the storage service's login: schema storage, and may become the three
    ) as roles (name, options)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      execute format('create role %I %s nosuperuser nocreatedb nocreaterole noreplication', wanted.name, wanted.options);
    end if;
  end loop;
end $$;

grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to storage_admin;

-- SET ROLE does not apply these: the gateway and the services read pg_db_role_setting and apply them to
-- the transaction, as PostgREST does. What stands at the login roles is the backstop when they forget.
alter role anon          set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role service_role  set statement_timeout = '60s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '5s';
alter role authenticator set idle_in_transaction_session_timeout = '15s';
alter role auth_admin    set statement_timeout = '10s';
alter role auth_admin    set lock_timeout = '5s';
alter role auth_admin    set idle_in_transaction_session_timeout = '15s';
alter role storage_admin set statement_timeout = '10s';
alter role storage_admin set lock_timeout = '5s';
alter role storage_admin set idle_in_transaction_session_timeout = '60s';
