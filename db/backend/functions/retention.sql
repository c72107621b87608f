-- Ends what serasi.retention keeps for a period. Runs every minute; each row of the table ends up to 1,000 rows in the order of an
-- index.

create or replace function serasi.kept_for(relation text, name text) returns interval language sql stable as $$
  select keeps from serasi.retention where retention.relation = kept_for.relation and retention.name = kept_for.name
$$;

create or replace function serasi.end_retention(rule serasi.retention) returns void language plpgsql as $$
declare
  columns constant text[] := string_to_array(rule.clears, ', ');
begin
  -- For triggers that keep rows from being changed.
  perform set_config('serasi.erases', 'yes', true);
  execute format('%s where ctid = any (array(select ctid from %s where %s and %I <= now() - %L::interval order by %I limit 1000 for update skip locked))',
    case when columns is null then 'delete from ' || rule.relation
      else format('update %s set %s', rule.relation, (select string_agg(format('%I = default', field), ', ') from unnest(columns) as field)) end,
    rule.relation, rule.only_if, rule.moment, rule.keeps, rule.moment);
  perform set_config('serasi.erases', '', true);
end $$;

-- Deletes accounts that signed up, and that nobody confirmed or used. Those that operators made or imported stay, and those with
-- references from an app's or the operator's own tables.
create or replace function serasi.tick_unconfirmed_accounts() returns void language plpgsql security definer as $$
declare
  until constant timestamptz := clock_timestamp() + interval '3 seconds';
  ended integer := 0;
  rule serasi.retention;
  abandoned uuid;
begin
  select * into rule from serasi.retention where relation = 'auth.users' and name = 'unconfirmed';
  for abandoned in execute format(
    'select id from auth.users
     where email_unproved and email_confirmed_at is null and last_sign_in_at is null and created_at <= now() - $1
       and greatest(updated_at, confirmation_sent_at, invited_at) < now() - $1
       and phone_confirmed_at is null and deleted_at is null and (%s)
     order by created_at limit 10000', rule.only_if) using rule.keeps
  loop
    exit when ended = 100 or clock_timestamp() > until;
    begin
      delete from auth.users where id = abandoned;
      ended := ended + 1;
    exception when integrity_constraint_violation then
      -- Other tables refer to it.
    end;
  end loop;
end $$;

create or replace function serasi.tick_retention() returns void language plpgsql security definer set lock_timeout = '500ms' as $$
declare
  rule serasi.retention;
begin
  for rule in select * from serasi.retention where bound = 'period' order by relation, name loop
    begin
      perform serasi.end_retention(rule);
    exception when lock_not_available or deadlock_detected or integrity_constraint_violation then
      -- The next run tries again. The other rules don't wait for this one.
      raise warning 'retention of % (%): %', rule.relation, rule.name, sqlerrm;
    end;
  end loop;
end $$;
