-- Schema auth belongs to the auth service. No API role has privileges on its tables, not even the service key.
select serasi.reset_access(name) from unnest('{auth.users, auth.identities, auth.settings, auth.sessions, auth.refresh_tokens, auth.flow_state,
  auth.one_time_tokens, auth.sign_in_failures, auth.mail_allowances, auth.mfa_factors, auth.mfa_challenges, auth.mfa_recovery_codes,
  auth.mfa_failures}'::regclass[]) as name;
select serasi.on_deletion('auth.sign_in_failures', 'kept until the retention ends: keyed hashes, which limit sign-ins');
select serasi.on_deletion('auth.mail_allowances', 'kept until the retention ends: a keyed hash, which limits mails');
select serasi.on_deletion('auth.settings', 'kept: of the operator');

grant select, insert, update, delete on auth.users, auth.identities, auth.sessions, auth.refresh_tokens, auth.flow_state,
  auth.one_time_tokens, auth.sign_in_failures, auth.mail_allowances, auth.mfa_factors, auth.mfa_challenges, auth.mfa_failures to auth_admin;
grant select, insert, update on auth.settings to auth_admin;
grant select, insert, delete on auth.mfa_recovery_codes to auth_admin;
grant references (id) on auth.users to developer;
