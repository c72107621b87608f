-- Every limit in the specification, with the constraint that enforces it.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

-- Updates a column and rolls it back. Returns the constraint that refuses the value, or 'none'. Runs as the superuser,
-- because limits apply to everyone.
create function pg_temp.refused_by(profile text, field text, value text) returns text language plpgsql as $$
declare
  refusing text;
begin
  execute format('update app.%I set %I = %L where user_id = %L', profile, field, value,
    tests.id(case when profile like 'influencer%' then 'approved' when profile like 'vendor%' then 'vendor' else 'agency' end));
  raise exception 'taken back' using errcode = 'TT000';
exception
  when sqlstate 'TT000' then
    return 'none';
  when integrity_constraint_violation then
    get stacked diagnostics refusing = constraint_name;
    return case when refusing = '' then sqlstate else refusing end;
end $$;

create temporary table edge (profile text, field text, value text, refusing text);

-- The longest allowed texts inside JSON, and one with one more character. shapes.sql tests other texts.
insert into edge
select 'influencers', 'services', jsonb_build_array('{"title": "Reel"}' || jsonb_build_object(member, repeat('x', longest + over)))::text,
  case over when 0 then 'none' else 'influencers_services_shape' end
from (values ('title', 100), ('name', 100), ('description', 1000), ('price', 50)) as limits (member, longest) cross join unnest(array[0, 1]) as over
union all
select 'influencers', 'services', (select jsonb_agg(jsonb_build_object('title', 'Reel ' || n, 'description', repeat('x', size))) from generate_series(1, number) as n)::text, refusing
from (values (30, 1, 'none'), (31, 1, 'influencers_services_shape'), (30, 1000, 'none')) as lists (number, size, refusing)
union all
select 'influencers', 'services', (select jsonb_agg(jsonb_build_object('title', 'Reel', 'description', repeat('x', 1000), 'price', repeat('x', 50), 'note', repeat('x', 30))) from generate_series(1, 30))::text,
  'influencers_services_shape'
union all
select 'influencers', 'content_posts', jsonb_build_array(jsonb_build_object('image_url', 'https://a.test/1', 'title', repeat('x', 200 + over)))::text,
  case over when 0 then 'none' else 'influencers_content_posts_shape' end
from unnest(array[0, 1]) as over
union all
select 'influencer_private', 'payment_info', jsonb_build_object(member, repeat('x', longest + over))::text,
  case over when 0 then 'none' else 'influencer_private_payment_info_shape' end
from (values ('bank_name', 100), ('account_number', 50), ('account_holder', 100), ('paypal_email', 254), ('payment_notes', 1000)) as limits (member, longest)
cross join unnest(array[0, 1]) as over;

insert into edge values
  ('influencers', 'name', '  ', 'influencers_name_required'), ('influencers', 'username', '', 'influencers_username_required'),
  ('influencers', 'category', ' ', 'influencers_category_required'), ('influencers', 'name', null, '23502'),
  ('influencers', 'username', 'VERIFIED', 'influencers_username_key'),
  ('influencers', 'age', '-1', 'influencers_age_plausible'), ('influencers', 'age', '150', 'none'), ('influencers', 'age', '151', 'influencers_age_plausible'), ('influencers', 'age', '18', 'none'), ('influencers', 'age', null, 'none'),
  ('influencers', 'services', '[]', 'none'), ('influencers', 'services', '{}', 'influencers_services_shape'), ('influencers', 'services', '"x"', 'influencers_services_shape'),
  ('influencers', 'services', '[{"title": "Reel", "description": "One", "price": "RM 5"}, {"name": "Reel"}]', 'none'),
  ('influencers', 'services', '[{"description": "no title"}]', 'influencers_services_shape'), ('influencers', 'services', '[{"title": 5}]', 'influencers_services_shape'),
  ('influencers', 'services', '["Reel"]', 'influencers_services_shape'), ('influencers', 'services', '[{"title": "  "}]', 'influencers_services_shape'),
  ('influencers', 'content_posts', '{}', 'influencers_content_posts_shape'), ('influencers', 'content_posts', '["javascript:alert(1)"]', 'influencers_content_posts_shape'),
  ('influencers', 'content_posts', '[{"title": "no picture"}]', 'influencers_content_posts_shape'), ('influencers', 'content_posts', '[null]', 'influencers_content_posts_shape'),
  ('influencers', 'content_posts', '[""]', 'influencers_content_posts_shape'), ('influencers', 'content_posts', '[{"image_url": "javascript:alert(1)"}]', 'influencers_content_posts_shape'), ('influencers', 'content_posts', '[{"image_url": ""}]', 'influencers_content_posts_shape'),
  ('influencers', 'content_posts', '[{"image_url": 5}]', 'influencers_content_posts_shape'),
  ('influencers', 'content_posts', jsonb_build_array(jsonb_build_object('image_url', 'https://a.test/1', 'note', repeat('x', 4096)))::text, 'influencers_content_posts_shape'),
  ('influencers', 'content_posts', '[{"image_url": "/storage/v1/object/public/images/a/b.webp", "title": "One"}, "https://a.test/1.jpg"]', 'none'),
  ('influencers', 'content_posts', jsonb_build_array('http://a.test/1', 'http://a.test/2', 'http://a.test/3', 'http://a.test/4', 'http://a.test/5', 'http://a.test/6', 'http://a.test/7', 'http://a.test/8')::text, 'none'),
  ('influencers', 'content_posts', jsonb_build_array('http://a.test/1', 'http://a.test/2', 'http://a.test/3', 'http://a.test/4', 'http://a.test/5', 'http://a.test/6', 'http://a.test/7', 'http://a.test/8', 'http://a.test/9')::text, 'influencers_content_posts_max_8'),
  ('moderation', 'badge_type', 'diamond', 'moderation_badge_type_known'), ('moderation', 'badge_type', 'platinum', 'none'),
  ('moderation', 'badge_type', null, '23502'), ('moderation', 'access_gigs_page', null, '23502'),
  ('moderation', 'subscription_end_date', '12026-01-01', 'moderation_subscription_dates_plausible'),
  ('influencer_private', 'payment_info', '{"payment_method": "both", "bank_name": "B", "account_number": "1", "account_holder": "H", "paypal_email": "p@x.test", "payment_notes": ""}', 'none'),
  ('influencer_private', 'payment_info', '{"payment_method": "cash"}', 'influencer_private_payment_info_shape'), ('influencer_private', 'payment_info', '[]', 'influencer_private_payment_info_shape'),
  ('influencer_private', 'payment_info', '{"card": "4111"}', 'influencer_private_payment_info_shape'), ('influencer_private', 'payment_info', '{"bank_name": {"deep": 1}}', 'influencer_private_payment_info_shape'),
  ('influencer_private', 'date_of_birth', '1899-12-31', 'influencer_private_date_of_birth_from_1900'), ('influencer_private', 'date_of_birth', '1900-01-01', 'none'),
  ('influencer_private', 'date_of_birth', (current_date + 2)::text, 'influencer_private_date_of_birth_not_future'),
  ('agencies', 'email', 'nobody', 'agencies_email_valid'), ('agencies', 'email', E'a@b.co\nBcc: x@y.zz', 'agencies_email_valid'), ('agencies', 'name', ' ', 'agencies_name_required'),
  ('agencies', 'type', 'Talent Search', 'none'), ('agencies', 'type', 'Catering', 'agencies_type_known'), ('vendors', 'type', 'Catering', 'none'), ('vendors', 'type', 'PR', 'vendors_type_known'),
  ('vendors', 'email', 'a@b', 'vendors_email_valid'), ('vendors', 'name', ' ', 'vendors_name_required'), ('agencies', 'badge_type', 'red', 'agencies_badge_type_known');

-- Links must be web addresses, and not of internal hosts.
insert into edge
select 'influencers', 'website_link', link, case when fine then 'none' else 'influencers_website_link_url' end
from (values ('https://serasi.test', true), ('http://serasi.test:8080/a?b=c#d', true), ('HTTPS://Serasi.Test', true), ('https://www.例え.test/ö', true), ('', true), (null, true),
  ('javascript:alert(1)', false), ('data:text/html,x', false), ('ftp://serasi.test', false), ('serasi.test', false), ('https://', false), ('https://localhost', false),
  ('http://169.254.169.254/latest', false), ('http://127.0.0.1', false), ('http://10.0.0.1/', false), ('http://192.168.1.1', false), ('http://172.16.0.1', false),
  ('http://[::1]/', false), ('https://user@serasi.test', false), ('https://good.test\@evil.test', false), ('https://a.test/ b', false), ('https://a.test/"x', false),
  (E'https://a.test\njavascript:', false), ('https://a.test/' || repeat('x', 2000), false)) as link (link, fine);
insert into edge
select 'agencies', 'logo_url', url, case when fine then 'none' else 'agencies_logo_url' end
from (values ('/storage/v1/object/public/images/demo/logos/gema.webp', true), ('http://127.0.0.1:8000/storage/v1/object/public/images/a/logo-1.png', true), ('', true),
  ('javascript:alert(1)', false), ('data:image/svg+xml,x', false),
  ('https://a.test/' || repeat('x', 1985), true), ('https://a.test/' || repeat('x', 1986), false), ('//evil.test/x.png', false), ('/etc/passwd', false), ('/storage/v1/object/public/images/../../x', false)) as url (url, fine);

-- One line of visible text.
insert into edge
select profile, field, 'Na' || character || 'me', profile || '_visible_text'
from (values ('influencers', 'name'), ('influencers', 'username'), ('influencers', 'category'), ('influencers', 'location'), ('influencers', 'language'),
  ('influencers', 'ethnicity'), ('influencers', 'height'), ('influencers', 'religion'), ('agencies', 'name'), ('agencies', 'company_name'), ('agencies', 'phone'),
  ('agencies', 'location'), ('vendors', 'name'), ('vendors', 'company_name'), ('vendors', 'phone'), ('vendors', 'location')) as named (profile, field)
cross join unnest(array[E'\n', U&'\202E', U&'\200B']) as character;
insert into edge values
  ('influencers', 'bio', E'One line\nand another', 'none'), ('influencers', 'name', U&'Aina \+01F469\200D\+01F4BB', 'none'),
  ('influencers', 'username', U&'\FEFFverified', 'influencers_visible_text'), ('influencers', 'name', U&'\2003', 'influencers_visible_text'),
  ('agencies', 'email', U&'a\202E@b.test', 'agencies_email_valid'), ('vendors', 'email', U&'a@b\200B.test', 'vendors_email_valid');
-- Also inside JSON, and in follower counts.
insert into edge
select profile, field, value, profile || '_visible_' || suffix
from (values ('influencers', 'services', '[{"title": "Reel"}, {"title": "Re%sel"}]', 'details'), ('influencers', 'services', '[{"name": "Re%sel"}]', 'details'),
  ('influencers', 'services', '[{"title": "Reel", "price": "RM%s5"}]', 'details'), ('influencers', 'content_posts', '["https://a.test/1", {"image_url": "https://a.test/2", "title": "A%sb"}]', 'details'),
  ('influencer_private', 'payment_info', '{"bank_name": "A%sb"}', 'payment_info'), ('influencer_private', 'payment_info', '{"account_number": "1%s2"}', 'payment_info'),
  ('influencer_private', 'payment_info', '{"account_holder": "A%sb"}', 'payment_info'), ('influencer_private', 'payment_info', '{"paypal_email": "a%s@b.test"}', 'payment_info')) as told (profile, field, template, suffix)
cross join unnest(array['\n', '\u202e', '\u200b']) as character cross join lateral replace(template, '%s', character) as value
union all
select 'influencers', platform || '_followers', U&'12\200BK', 'influencers_visible_details' from unnest(array['instagram', 'tiktok', 'youtube', 'twitter']) as platform;
insert into edge values
  ('influencers', 'services', '[{"title": "Größe & Maß", "description": "Two\nlines", "price": null}]', 'none'),
  ('influencer_private', 'payment_info', '{"bank_name": "B", "payment_notes": "Two\nlines"}', 'none');

insert into edge
select profile, field, link, profile || '_' || regexp_replace(field, '_url$', '') || '_url'
from (values ('influencers', 'instagram_link'), ('influencers', 'tiktok_link'), ('influencers', 'youtube_link'), ('influencers', 'twitter_link'), ('influencers', 'profile_image'),
  ('influencers', 'cover_image'), ('agencies', 'website'), ('agencies', 'banner_url'), ('vendors', 'website'), ('vendors', 'logo_url')) as linked (profile, field)
cross join unnest(array['javascript:alert(1)', 'ftp://a.test/1.jpg']) as link;
insert into edge
select 'agencies', 'gallery', gallery, refusing
from (values ('{https://a.test/1.jpg}', 'none'), ('{}', 'none'), ('{javascript:alert(1)}', 'agencies_gallery_urls'), ('{""}', 'agencies_gallery_urls'), ('{null}', 'agencies_gallery_urls'),
  ('{{https://a.test/1.jpg},{https://a.test/2.jpg}}', 'agencies_gallery_urls'),
  (array_fill('https://a.test/1.jpg'::text, array[8])::text, 'none'), (array_fill('https://a.test/1.jpg'::text, array[9])::text, 'agencies_gallery_max_8')) as gallery (gallery, refusing);

-- Values that admins set.
insert into edge
select decided, 'badge_type', badge, case when fine then 'none' else decided || '_badge_type_known' end
from unnest(array['influencers', 'agencies', 'vendors', 'moderation']) as decided
cross join (values ('none', true), ('blue', true), ('gold', true), ('platinum', true), ('diamond', false), ('', false)) as badges (badge, fine);
insert into edge
select 'moderation', field, moment, case when refusing = 'none' then refusing else 'moderation_subscription_dates_' || refusing end
from (values ('subscription_start_date', '2000-01-01 00:00:00+00', 'none'), ('subscription_start_date', '1999-12-31 23:59:59+00', 'plausible'),
  ('subscription_start_date', '2027-01-01', 'none'), ('subscription_start_date', '2027-01-02', 'in_order'),
  ('subscription_end_date', '2200-01-01 00:00:00+00', 'none'), ('subscription_end_date', '2200-01-01 00:00:01+00', 'plausible'),
  ('subscription_end_date', '2026-01-01', 'none'), ('subscription_end_date', '2025-12-31', 'in_order')) as dates (field, moment, refusing);

select is(pg_temp.refused_by(profile, field, value), refusing, profile || '.' || field || ' = ' || coalesce(left(value, 60), 'null')) from edge;

select is(tests.refusal('approved', 'update influencers set username = ''Verified'' where user_id = auth.uid()'), 'This username is already taken', 'MA-3: the message');
select is(tests.refusal('new influencer', 'insert into influencers (name, username, category) values (''N'', ''VERIFIED'', ''Tech'')'), 'This username is already taken', 'MA-3: also on the first save');

-- Follower counts as people type them.
select is(app.follower_count(typed), read, 'followers: ' || coalesce(typed, 'null'))
from (values ('2.5M', 2500000), ('10K', 10000), ('10k', 10000), ('1,200', 1200), ('950', 950), (' 12K ', 12000), ('1.5 m', 1500000), ('10M+', 10000000),
  ('', 0), (null, 0), ('many', 0), ('-5', 0), ('1e9', 0), ('K', 0), ('1.2.3K', 0), ('999999999999M', 999999999999000000), ('99999999999999999999', 0), ('999999999999999M', 0)) as typed (typed, read);

\ir ../finish.sql
