-- How many notifications may be mailed in an hour, which all replicas count together.

-- Takes one of an hour's allowance. Returns how many seconds to wait if it is used up, otherwise null.
create or replace function app.take_allowance(key text, per_hour integer, at timestamptz) returns double precision language plpgsql as $$
declare
  -- Rounded down, so that the full hourly number fits into an hour.
  step constant interval := make_interval(secs => floor(3600e6 / per_hour) / 1e6);
begin
  insert into auth.mail_allowances as taken (address_hash, used_until) values (key, at + step)
  on conflict (address_hash) do update set used_until = greatest(taken.used_until, at) + step
    where greatest(taken.used_until, at) + step <= at + interval '1 hour';
  if found then
    return null;
  end if;
  return (select extract(epoch from used_until + step - interval '1 hour' - at) from auth.mail_allowances where address_hash = key);
end $$;

-- Takes one of the 20 mails for a mailbox, then one of those for all. A rollback returns what was taken.
create or replace function app.admit_mail(recipient text, per_hour integer, at timestamptz)
returns table (mailbox double precision, total double precision)
language plpgsql security definer as $$
begin
  delete from auth.mail_allowances where address_hash in (
    select address_hash from auth.mail_allowances where used_until <= at order by used_until limit 10 for update skip locked);
  mailbox := app.take_allowance('notifications:' || app.address_key(recipient), 20, at);
  -- The shared row comes last, so it is locked for the shortest time.
  if mailbox is null then
    total := app.take_allowance('notifications', per_hour, at);
  end if;
  return next;
end $$;

grant execute on function app.admit_mail(text, integer, timestamptz) to functions_admin;
