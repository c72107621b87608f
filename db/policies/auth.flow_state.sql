-- For the auth service. No API role has privileges on this table, not even the service key.
select app.reset_access('auth.flow_state');

create policy "the auth service does all" on auth.flow_state to auth_admin using (true) with check (true);
-- For app.tick_retention().
create policy "the owner of the schema prunes" on auth.flow_state to serasi_owner using (true) with check (true);

grant select, insert, update, delete on auth.flow_state to auth_admin;
