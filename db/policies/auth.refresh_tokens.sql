-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.refresh_tokens');

create policy "the auth service does all" on auth.refresh_tokens to auth_admin using (true) with check (true);
-- For app.tick_sessions().
create policy "the owner of the schema reads" on auth.refresh_tokens for select to serasi_owner using (true);
create policy "the owner of the schema changes" on auth.refresh_tokens for update to serasi_owner using (true) with check (true);
create policy "the owner of the schema removes" on auth.refresh_tokens for delete to serasi_owner using (true);

grant select, insert, update, delete on auth.refresh_tokens to auth_admin;
