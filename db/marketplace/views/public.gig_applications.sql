-- Applications for gigs. Applicants set the gig, pitch and quote; triggers and functions set the other columns.
create or replace view public.gig_applications with (security_invoker = true) as
select id, gig_id, influencer_id, pitch, quote, state, gig_title, created_at, decided_at, collaboration_id
from app.gig_applications;

select app.reset_access('public.gig_applications');

grant select on public.gig_applications to authenticated;
grant insert (gig_id, pitch, quote) on public.gig_applications to authenticated;
grant select, insert, update, delete on public.gig_applications to service_role;
