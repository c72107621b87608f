-- Everyone reads reviews that are published and not hidden. Admins also read hidden ones. Before publication, only the
-- author can see a review. Nobody can edit one.
select serasi.reset_access('app.reviews');
select serasi.on_deletion('app.reviews', 'replaced; the row goes with the last party', 'author_key, reply');
select serasi.on_deletion('app.reviews', 'kept without a name: a review belongs to its author and its subject', 'text');

create policy "visitors read the published" on app.reviews for select to anon
  using (published_at is not null and hidden_at is null);
create policy "people read the published and their own, admins also the hidden" on app.reviews for select to authenticated
  using ((published_at is not null and (hidden_at is null or (select app.is_admin()))) or author_id = (select app.account_id()));
create policy "people write as themselves" on app.reviews for insert to authenticated
  with check (author_id = (select app.account_id()));

-- Reviews of completed collaborations. `side` is the author's side.
-- Internal: created_at, publish_at, replied_at, counted.
create or replace view public.reviews with (security_invoker = true) as
select id, influencer_id, agency_id, side, rating, text, paid_on_time, reply, published_at, collaboration_id
from app.reviews;

grant select on app.reviews, public.reviews to anon, authenticated;
grant insert (collaboration_id, rating, text, paid_on_time) on app.reviews, public.reviews to authenticated;
grant select, delete on app.reviews, public.reviews to service_role;
