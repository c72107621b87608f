-- An index for the limit on guests' enquiries, and one line of visible text for titles and names inside JSON, for follower
-- counts, and for collaborations.
set local role serasi_owner;

create index enquiry_briefs_of_guests on app.enquiry_briefs (created_at) where guest_email is not null;

-- The text without what app.is_one_line() rejects; '-' if nothing is left.
create function app.one_line(field text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when app.is_one_line(field) then field else coalesce(nullif(btrim(regexp_replace(
    regexp_replace(field, '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+', ' ', 'g'),
    '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g')), ''), '-') end
$$;

-- Whether these members of an object, or of every object in a list, are one line. They may contain no-break spaces, because
-- JavaScript formats prices with them.
create function app.members_are_one_line(value jsonb, variadic members text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select app.is_one_line(variadic array(
    select translate(entry ->> member, U&'\00A0', ' ')
    from jsonb_array_elements(case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end) as entry, unnest(members) as member))
$$;

reset role;

create function pg_temp.clean(list jsonb, variadic members text[]) returns jsonb
language sql immutable as $$
  select jsonb_agg(case when app.members_are_one_line(entry, variadic members) then entry else entry || (
    select jsonb_object_agg(member, app.one_line(entry ->> member)) from unnest(members) as member where not app.is_one_line(entry ->> member)) end order by place)
  from jsonb_array_elements(list) with ordinality as entries (entry, place)
$$;

update app.influencers set services = pg_temp.clean(services, 'title', 'name', 'price')
where not app.members_are_one_line(services, 'title', 'name', 'price');
update app.influencers set content_posts = pg_temp.clean(content_posts, 'title') where not app.members_are_one_line(content_posts, 'title');
update app.influencers set instagram_followers = app.one_line(instagram_followers), tiktok_followers = app.one_line(tiktok_followers),
  youtube_followers = app.one_line(youtube_followers), twitter_followers = app.one_line(twitter_followers)
where not app.is_one_line(instagram_followers, tiktok_followers, youtube_followers, twitter_followers);
update app.influencer_private
set payment_info = pg_temp.clean(jsonb_build_array(payment_info), 'bank_name', 'account_number', 'account_holder', 'paypal_email') -> 0
where not app.members_are_one_line(payment_info, 'bank_name', 'account_number', 'account_holder', 'paypal_email');
update app.collaborations set title = app.one_line(title), guest_name = app.one_line(guest_name) where not app.is_one_line(title, guest_name);

drop function pg_temp.clean(jsonb, text[]);

set local role serasi_owner;

alter table app.influencers add constraint influencers_visible_details check (
  app.members_are_one_line(services, 'title', 'name', 'price') and app.members_are_one_line(content_posts, 'title')
  and app.is_one_line(instagram_followers, tiktok_followers, youtube_followers, twitter_followers));
alter table app.influencer_private add constraint influencer_private_visible_payment_info
  check (app.members_are_one_line(payment_info, 'bank_name', 'account_number', 'account_holder', 'paypal_email'));
alter table app.collaborations add constraint collaborations_visible_text check (app.is_one_line(title, guest_name));

reset role;
