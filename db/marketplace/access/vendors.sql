-- Vendors are public, including their contact details. badge_type is not granted to anyone: a trigger copies it from
-- app.moderation.
select serasi.reset_access('app.vendors');

create policy "everybody reads" on app.vendors for select to anon, authenticated
  using (true);
create policy "their owner adds one, holding the role" on app.vendors for insert to authenticated
  with check (user_id = (select auth.uid()) and (select app.has_role('vendor')));
create policy "their owner edits" on app.vendors for update to authenticated
  using (user_id = (select auth.uid()) and (select app.has_role('vendor')))
  with check (user_id = (select auth.uid()) and (select app.has_role('vendor')));
create policy "admins delete" on app.vendors for delete to authenticated
  using ((select app.is_admin()));

grant select on app.vendors to anon, authenticated;
grant insert (user_id), delete on app.vendors to authenticated;
select serasi.grant_editing('
  name, email, company_name, phone, website, description, location, type, logo_url', 'app.vendors');
grant select, insert, update, delete on app.vendors to service_role;

-- The specification's vendor record. Access flags and subscription dates are null for everyone except the owner and admins.
-- INSTEAD OF triggers (profiles.sql) write to the base tables.
create or replace view public.vendors with (security_invoker = true) as
select
  p.id, p.user_id, p.name, p.email, p.company_name, p.phone, p.website, p.description, p.location, p.type, p.logo_url,
  p.badge_type, m.access_influencer_page, m.access_agencies_page, m.access_events_page, m.access_gigs_page,
  m.subscription_start_date, m.subscription_end_date, p.created_at
from app.vendors as p
left join app.moderation as m on m.user_id = p.user_id and m.kind = 'vendor';

alter view public.vendors alter column user_id set default auth.uid();

create or replace trigger write_profile instead of insert or update or delete on public.vendors
  for each row execute function app.write_profile('app.vendors', 'vendor');

grant select on public.vendors to anon;
grant select, insert, update, delete on public.vendors to authenticated, service_role;
