-- Anybody can sign up with somebody else's address. Until a mail to it has come back, its owner has not agreed to
-- anything: the first proof by mail ends what was set up before (auth-service/src/verification.rs).
set local role serasi_owner;

alter table auth.users
  -- Taken from a sign-up, and not proved by mail or vouched for by an operator since.
  add column email_unproved boolean not null default false,
  -- Two sign-ups named this address with different passwords, so neither of them is the owner's for sure.
  add column password_contested boolean not null default false;

reset role;

-- What is known of accounts that signed up before. Staff and invited accounts were made by operators.
update auth.users set email_unproved = true
where deleted_at is null and invited_at is null and not raw_app_meta_data ? 'marketplace_role'
  and exists (
    select from auth.identities
    where identities.user_id = users.id and provider = 'email' and identity_data -> 'email_verified' = 'false'
      -- Operators' accounts have no sign-up data in their identity.
      and identity_data ? 'user_type');
