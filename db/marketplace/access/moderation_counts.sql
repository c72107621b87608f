-- The counts on the tabs of the admin pages, in one row that only admins get.
create or replace view public.moderation_counts with (security_invoker = true) as
select
  (select count(*) from app.influencers where not approved) as pending,
  (select count(*) from app.influencers where approved) as influencers,
  (select count(*) from app.agencies) as agencies,
  (select count(*) from app.vendors) as vendors,
  (select count(distinct user_id) from app.user_roles where role in ('admin', 'superadmin')) as admins
where (select app.is_admin());

grant select on public.moderation_counts to authenticated;
