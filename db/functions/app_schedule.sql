-- What happens when time passes. The auth service's mail worker calls app.tick() every minute. Each part does a bounded
-- amount of work, so that the transaction stays short.

-- Returns whether it did its work: of several replicas that call it at once, one does.
create or replace function app.tick() returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('app.tick', 0)) then
    return false;
  end if;
  perform app.tick_enquiries();
  perform app.tick_collaborations();
  return true;
end $$;

grant execute on function app.tick() to auth_admin;
