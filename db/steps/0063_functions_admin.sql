-- The login of the functions, which deliver the marketplace's mails and run its schedule.
do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'functions_admin') then
    create role functions_admin login noinherit nosuperuser nocreatedb nocreaterole noreplication;
  end if;
end $$;
alter role functions_admin set statement_timeout = '10s';
alter role functions_admin set lock_timeout = '5s';
alter role functions_admin set idle_in_transaction_session_timeout = '15s';
alter role functions_admin set search_path = pg_catalog, pg_temp;
alter role functions_admin set random_page_cost = 1.1;

set local role serasi_owner;
grant usage on schema app to functions_admin;
