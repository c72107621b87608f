-- Second factors: how superadmins reset those of others, and what staff must do.

-- A superadmin or an operator has removed an account's second factors.
create or replace function app.audit_reset() returns trigger language plpgsql security definer as $$
begin
  if current_setting('serasi.resets_factor', true) = 'yes' then
    perform app.audit(auth.uid(), 'reset_factor', 'account', user_id, (select email from auth.users where id = user_id and deleted_at is null),
      jsonb_build_object('factors', count(verified_at))) from gone group by user_id;
  end if;
  return null;
end $$;

create or replace trigger audit_reset after delete on auth.mfa_factors
  referencing old table as gone for each statement execute function app.audit_reset();

create or replace function app.reset_factor(account uuid) returns void language plpgsql security definer as $$
begin
  perform app.refuse_if(not app.is_superadmin(), '42501', 'Only superadmins can reset a second factor');
  perform app.refuse_if(account = auth.uid(), 'PT409', 'Remove your own second factor on the security page of your account');
  perform app.refuse_if(not exists (select from app.user_roles where user_id = account and role in ('admin', 'superadmin'))
    or serasi.remove_factors(account) = 0, 'PT404', 'This account has no second factor');
end $$;

create or replace function public.reset_factor(account uuid) returns void language sql as $$ select app.reset_factor(account) $$;

-- The IDs of staff accounts with a second factor, for superadmins.
create or replace function app.staff_with_factor() returns uuid[] language plpgsql stable security definer as $$
begin
  perform app.refuse_if(not app.is_superadmin(), '42501', 'Only superadmins can see who has a second factor');
  return array(
    select user_id from app.user_roles
    where role in ('admin', 'superadmin')
      and exists (select from auth.mfa_factors where mfa_factors.user_id = user_roles.user_id and verified_at is not null)
    order by user_id limit 1000);
end $$;

create or replace function public.staff_with_factor() returns uuid[] language sql stable as $$ select app.staff_with_factor() $$;

-- What the caller must do to use its staff role: nothing ('granted'), pass the second step ('verify') or add a second
-- factor ('enroll'). Null if the caller has no staff role.
create or replace function app.staff_access() returns text language sql stable security definer as $$
  select case
    when not exists (select from app.user_roles where user_id = app.account_id() and role in ('admin', 'superadmin')) then null
    when app.has_second_step() then 'granted'
    when exists (select from auth.mfa_factors where user_id = auth.uid() and verified_at is not null) then 'verify'
    else 'enroll'
  end
$$;

create or replace function public.staff_access() returns text language sql stable as $$ select app.staff_access() $$;

grant execute on function app.reset_factor(uuid), public.reset_factor(uuid), app.staff_with_factor(), public.staff_with_factor(),
  app.staff_access(), public.staff_access() to authenticated;
