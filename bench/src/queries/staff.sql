-- The staff accounts that the benchmark uses, and an audit log with 300,000 entries, unless one already exists. The order of
-- subjects is random, because in reality people with the same name don't sign up one after the other.
insert into auth.users (id, email, raw_app_meta_data) values
  ('5e7bad00-0000-4000-8000-000000000001', 'admin@bench.serasi.test', '{"marketplace_role": "admin"}'),
  ('5e7bad00-0000-4000-8000-000000000002', 'superadmin@bench.serasi.test', '{"marketplace_role": "superadmin"}')
on conflict do nothing;

insert into app.audit_log (created_at, actor_id, actor, action, subject_type, subject_id, subject, details)
select now() - n * interval '1 minute',
  format('5e7bad00-0000-4000-8000-%s', lpad((1 + n % 20)::text, 12, '0'))::uuid, format('moderator%s@bench.serasi.test', 1 + n % 20),
  case when n % 1000 = 0 then 'grant_role' else (array['approve', 'approve', 'approve', 'set_badge', 'set_access', 'set_subscription', 'delete_profile'])[1 + n % 7] end,
  case when n % 1000 = 0 then 'account' when n % 20 = 1 then 'agency' when n % 20 = 2 then 'vendor' else 'influencer' end,
  subject.user_id, subject.name, '{"approved": {"from": false, "to": true}}'
from (select user_id, name, row_number() over (order by md5(user_id::text)) as place from app.influencers) as subject
join generate_series(1, 300000) as n on 1 + n % (select greatest(count(*), 1) from app.influencers) = place
where (select count(*) from app.audit_log) < 100000;
