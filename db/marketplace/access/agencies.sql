-- Agencies are public, including their contact details. badge_type is not granted to anyone: a trigger copies it from
-- app.moderation.
select serasi.reset_access('app.agencies');

create policy "everybody reads" on app.agencies for select to anon, authenticated
  using (true);
create policy "their owner adds one, holding the role" on app.agencies for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('agency')));
create policy "their owner edits" on app.agencies for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('agency')))
  with check (user_id = (select auth.uid()) and (select app.has_role('agency')));
create policy "admins delete" on app.agencies for delete to authenticated
  using ((select app.is_admin()));

grant select on app.agencies to anon, authenticated;
grant insert (user_id), delete on app.agencies to authenticated;
select serasi.grant_editing('
  name, email, company_name, phone, website, description, location, type, contracts_enabled, logo_url, banner_url,
  gallery', 'app.agencies');
grant select, insert, update, delete on app.agencies to service_role;

-- The specification's agency record. Access flags and subscription dates are null for everyone except the owner and admins.
-- INSTEAD OF triggers (profiles.sql) write to the base tables.
-- Internal: rating_sum.
create or replace view public.agencies with (security_invoker = true) as
select
  p.id, p.user_id, p.name, p.email, p.company_name, p.phone, p.website, p.description, p.location, p.type,
  p.contracts_enabled, p.logo_url, p.banner_url, p.gallery, p.badge_type, m.access_influencer_page,
  m.access_agencies_page, m.access_events_page, m.access_gigs_page, m.subscription_start_date, m.subscription_end_date,
  p.created_at,
  p.rating, p.review_count
from app.agencies as p
left join app.moderation as m on m.user_id = p.user_id and m.kind = 'agency';

alter view public.agencies alter column user_id set default auth.uid();

create or replace trigger write_profile instead of insert or update or delete on public.agencies
  for each row execute function app.write_profile('app.agencies', 'agency');

grant select on public.agencies to anon;
grant select, insert, update, delete on public.agencies to authenticated, service_role;
