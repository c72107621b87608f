-- The gigs that agencies offer.
create or replace view public.gigs with (security_invoker = true) as
select id, agency_id, title, description, budget, duration, requirements, created_at, closes_on, places, closed_at from app.gigs;

select app.reset_access('public.gigs');

grant select, delete on public.gigs to authenticated;
grant insert (id, agency_id, title, description, budget, duration, requirements, closes_on, places) on public.gigs to authenticated;
grant update (agency_id, title, description, budget, duration, requirements, closes_on, places) on public.gigs to authenticated;
grant select, insert, update, delete on public.gigs to service_role;
