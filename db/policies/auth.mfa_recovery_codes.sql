-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.mfa_recovery_codes');

create policy "the auth service does all" on auth.mfa_recovery_codes to auth_admin using (true) with check (true);
-- For app.forget_factor().
create policy "the owner of the schema reads" on auth.mfa_recovery_codes for select to serasi_owner using (true);
create policy "the owner of the schema removes" on auth.mfa_recovery_codes for delete to serasi_owner using (true);

grant select, insert, delete on auth.mfa_recovery_codes to auth_admin;
