-- Reports by users, and about suspicious texts by the database. Reporters read their own, admins all.
create or replace view public.reports with (security_invoker = true) as
select id, kind, subject_id, reporter_id, reason, text, words, snapshot, title, state, created_at, decided_at from app.reports;

select app.reset_access('public.reports');

grant select on public.reports to authenticated;
grant insert (kind, subject_id, reason, text) on public.reports to authenticated;
grant select on public.reports to service_role;
