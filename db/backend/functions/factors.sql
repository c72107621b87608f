-- Second factors: what happens when one is removed.

-- Sessions that passed the second step with this factor fall back to aal1. Removing the last factor deletes the recovery
-- codes.
create or replace function serasi.forget_factor() returns trigger language plpgsql security definer as $$
begin
  update auth.sessions set aal = 'aal1', factor_id = null where user_id = old.user_id and factor_id = old.id;
  if not exists (select from auth.mfa_factors where user_id = old.user_id and verified_at is not null) then
    delete from auth.mfa_recovery_codes where user_id = old.user_id;
  end if;
  return null;
end $$;

create or replace trigger forget_factor after delete on auth.mfa_factors
  for each row when (old.verified_at is not null) execute function serasi.forget_factor();

-- Removes an account's second factors, ends its sessions and notifies its owner. Returns the number of factors removed.
-- `serasi reset-factor` also calls it.
create or replace function serasi.remove_factors(account uuid) returns integer language plpgsql as $$
declare
  address constant text := (select email from auth.users where id = account and deleted_at is null);
  removed integer;
begin
  if not exists (select from auth.mfa_factors where user_id = account and verified_at is not null) then
    return 0;
  end if;
  -- Sessions are locked first, as in the auth service.
  delete from auth.sessions where user_id = account;
  -- For an app's log.
  perform set_config('serasi.resets_factor', 'yes', true);
  with gone as (delete from auth.mfa_factors where user_id = account returning verified_at)
  select count(verified_at) into removed from gone;
  perform set_config('serasi.resets_factor', '', true);
  delete from auth.mfa_failures where user_id = account;
  insert into serasi.mail_outbox (template, recipient, data)
  select 'factor_reset', address, jsonb_build_object('path', '/account/security') where address is not null;
  return removed;
end $$;
