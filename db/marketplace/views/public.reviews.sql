-- Reviews of completed collaborations. `side` is the author's side.
create or replace view public.reviews with (security_invoker = true) as
select id, influencer_id, agency_id, side, rating, text, paid_on_time, reply, published_at, collaboration_id
from app.reviews;

select app.reset_access('public.reviews');

grant select on public.reviews to anon, authenticated;
grant insert (collaboration_id, rating, text, paid_on_time) on public.reviews to authenticated;
grant select, delete on public.reviews to service_role;
