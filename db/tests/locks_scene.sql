-- For locks.rs: a scene of people whose rows refer to each other. Their IDs are hashes of the scene's and their name.
insert into auth.users (id, email, email_confirmed_at, raw_app_meta_data) values (md5('admin')::uuid, 'admin@example.test', now(), '{"marketplace_role": "admin"}');

create function public.make_scene(scene text) returns void language plpgsql as $scene$
declare
  agency constant uuid := md5(scene || ' agency')::uuid;
  influencer constant uuid := md5(scene || ' influencer')::uuid;
  other constant uuid := md5(scene || ' other')::uuid;
  ago constant timestamptz := now() - interval '20 days';
  guests_brief constant uuid := md5(scene || ' guests brief')::uuid;
begin
  insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
  select md5(scene || ' ' || name)::uuid, md5(scene || name) || '@example.test', now(), jsonb_build_object('user_type', role)
  from (values ('agency', 'agency'), ('influencer', 'influencer'), ('other', 'influencer'), ('unapproved', 'influencer')) as people (name, role);
  insert into app.agencies (id, user_id, name, email) values (agency, agency, 'A', 'a@example.test');
  insert into app.influencers (id, user_id, name, username, category, approved, badge_type)
  select id, id, name, id::text, 'Tech', name <> 'unapproved', 'gold'
  from unnest('{influencer,other,unapproved}'::text[]) as name, lateral (select md5(scene || ' ' || name)::uuid as id) as made;

  -- Work that one side completed long ago, and work that is over, with reviews that are published or due.
  insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, state, created_at, influencer_completed_at, client_completed_at, completed_at)
  select md5(scene || ' ' || name)::uuid, 'enquiry', name, person, agency, agency, state, ago, over, case state when 'completed' then over end, case state when 'completed' then over end
  from (values ('work', influencer, 'accepted', null), ('silent', influencer, 'accepted', ago), ('silent with the other', other, 'accepted', ago),
    ('done', influencer, 'completed', now() - interval '1 day'), ('reviewed', influencer, 'completed', now() - interval '1 day'),
    ('due', influencer, 'completed', ago), ('due with the other', other, 'completed', ago)) as works (name, person, state, over);
  insert into app.reviews (id, collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, publish_at, published_at, counted)
  select md5(scene || ' ' || name)::uuid, md5(scene || ' ' || work)::uuid, person, agency, case side when 'client' then agency else person end,
    case side when 'client' then agency else person end, side, 4, repeat('x', 20), now(), published, published is not null
  from (values ('published', 'reviewed', influencer, 'client', now() - interval '1 hour'), ('half', 'done', influencer, 'influencer', null),
    ('waiting', 'due', influencer, 'client', null), ('waiting of the other', 'due with the other', other, 'influencer', null)) as written (name, work, person, side, published);

  -- Enquiries: an open one, those of a guest, and some that are due, in both directions.
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (guests_brief, scene, md5(scene) || '@guest.test');
  insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
  values (encode(sha256(convert_to('token ' || scene, 'UTF8')), 'hex'), 'enquiry', guests_brief, now() + interval '1 day');
  insert into app.enquiry_briefs (id, sender_key) select md5(scene || ' brief of ' || sender)::uuid, sender::text from unnest(array[agency, influencer, other]) as sender;
  insert into app.enquiries (id, brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at, expires_at)
  select md5(scene || ' ' || name)::uuid, coalesce(md5(scene || ' brief of ' || sender)::uuid, guests_brief), recipient, sender, coalesce(sender::text, scene), 'S', 'A reel',
    repeat('x', 20), case when sender is null then 'unconfirmed' else 'open' end, case when sender is not null then now() - interval '4 days' end, now() + left_over
  from (values ('enquiry', agency, influencer, interval '1 day'), ('enquiry to the other', agency, other, interval '-1 hour'),
    ('to each other', influencer, other, interval '1 day'), ('and back', other, influencer, interval '-1 hour'),
    ('of a guest', null, influencer, interval '1 day'), ('of a guest to the other', null, other, interval '1 day')) as sent (name, sender, recipient, left_over);

  -- A gig that closes soon, with applicants, and a report about it.
  insert into app.gigs (id, agency_id, title, description, closes_on, places)
  select md5(scene || ' ' || name)::uuid, agency, 'A gig', 'D', (now() at time zone 'Asia/Kuala_Lumpur')::date + days, 1 from (values ('gig', 1), ('closed gig', -1)) as gigs (name, days);
  insert into app.gig_applications (id, gig_id, influencer_id, pitch, state, decided_at)
  select md5(scene || ' ' || name)::uuid, md5(scene || ' ' || gig)::uuid, person, repeat('x', 20), state, now()
  from (values ('application', 'gig', influencer, 'shortlisted'), ('closed application', 'closed gig', influencer, 'shortlisted'),
    ('application of the other', 'closed gig', other, 'applied')) as applied (name, gig, person, state);
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot, state)
  values (md5(scene || ' report')::uuid, 'gig', md5(scene || ' gig')::uuid, other, 'scam', '{"title": "A gig"}', 'taken');
  update app.report_decisions set taken_by = md5('admin')::uuid, taker = 'admin', taken_at = now() where report_id = md5(scene || ' report')::uuid;
end $scene$;

-- What must be true however the acts interleave.
create view public.broken_rules (rule, broken) as
select 'an accepted enquiry has a collaboration', count(*) from app.enquiries where state = 'accepted' and collaboration_id is null
union all select 'an accepted application has a collaboration', count(*) from app.gig_applications where state = 'accepted' and collaboration_id is null
union all select 'a collaboration has one source', count(*) from app.collaborations
  where title in ('A reel', 'A gig') and 1 <> (select count(*) from app.enquiries where collaboration_id = collaborations.id)
    + (select count(*) from app.gig_applications where collaboration_id = collaborations.id)
union all select 'nobody waits for a closed gig', count(*) from app.gigs join app.gig_applications on gig_id = gigs.id
  where closed_at is not null and state in ('applied', 'shortlisted')
union all select 'a gig has no more accepted than places', count(*) from app.gigs where places < app.places_taken(id)
union all select 'nobody is told twice', count(*) from (
  select from app.notices where kind in ('gig_closed', 'review_invited', 'approved') group by user_id, kind, subject_id having count(*) > 1) as twice
union all select 'averages agree with reviews', count(*) from app.influencers
  cross join lateral (
    select count(*) as number, coalesce(sum(rating), 0) as total from app.reviews
    where influencer_id = influencers.id and side = 'client' and counted) as counted
  where (review_count, rating_sum) <> (number, total)
union all select 'an approval is announced', count(*) from app.influencers
  where approved and name = 'unapproved' and not exists (select from app.notices where user_id = influencers.user_id and kind = 'approved');
