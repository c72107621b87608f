-- Ends what app.retention keeps for a period. Runs every minute; each row of the table ends up to 1,000 rows in the order of an
-- index.

create or replace function app.kept_for(relation text, name text) returns interval
language sql stable set search_path = pg_catalog, pg_temp as $$
  select keeps from app.retention where retention.relation = kept_for.relation and retention.name = kept_for.name
$$;

create or replace function app.end_retention(rule app.retention) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  columns constant text[] := string_to_array(rule.clears, ', ');
begin
  perform set_config('app.changes_log', 'yes', true);
  execute format('%s where ctid = any (array(select ctid from %s where %s and %I <= now() - %L::interval order by %I limit 1000 for update skip locked))',
    case when columns is null then 'delete from ' || rule.relation
      else format('update %s set %s', rule.relation, (select string_agg(format('%I = default', field), ', ') from unnest(columns) as field)) end,
    rule.relation, rule.only_if, rule.moment, rule.keeps, rule.moment);
  perform set_config('app.changes_log', '', true);
end $$;

-- A brief ends with its last enquiry.
create or replace function app.end_briefs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.enquiry_briefs where id in (select brief_id from gone)
    and not exists (select from app.enquiries where brief_id = enquiry_briefs.id);
  return null;
end $$;

create or replace trigger end_briefs after delete on app.enquiries
  referencing old table as gone for each statement execute function app.end_briefs();

-- Deletes accounts that signed up, and that nobody confirmed or used. Those that operators made or imported stay, and those with a
-- profile, a staff role or references from the operator's own tables.
create or replace function app.tick_unconfirmed_accounts() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  until constant timestamptz := clock_timestamp() + interval '3 seconds';
  ended integer := 0;
  abandoned uuid;
begin
  for abandoned in
    select id from auth.users
    where email_unproved and email_confirmed_at is null and last_sign_in_at is null and created_at <= now() - app.kept_for('auth.users', 'unconfirmed')
      and greatest(updated_at, confirmation_sent_at, invited_at) < now() - app.kept_for('auth.users', 'unconfirmed')
      and phone_confirmed_at is null and deleted_at is null
      and not exists (select from app.user_roles where user_id = users.id and role in ('admin', 'superadmin'))
      and not exists (select from app.influencers where user_id = users.id)
      and not exists (select from app.agencies where user_id = users.id)
      and not exists (select from app.vendors where user_id = users.id)
    order by created_at limit 10000
  loop
    exit when ended = 100 or clock_timestamp() > until;
    begin
      delete from auth.users where id = abandoned;
      ended := ended + 1;
    exception when integrity_constraint_violation then
      -- The operator's own tables refer to it.
    end;
  end loop;
end $$;

create or replace function app.tick_retention() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $$
declare
  rule app.retention;
begin
  for rule in select * from app.retention where bound = 'period' order by relation, name loop
    begin
      perform app.end_retention(rule);
    exception when lock_not_available or deadlock_detected or integrity_constraint_violation then
      -- The next run tries again. The other rules don't wait for this one.
      raise warning 'retention of % (%): %', rule.relation, rule.name, sqlerrm;
    end;
  end loop;
end $$;
