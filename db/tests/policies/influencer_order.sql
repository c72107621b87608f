-- Ordering influencers by a hidden column reveals nothing: the order is the same as without the column.
\ir ../setup.sql
select tests.people() \gset

set local session_replication_role = replica;
create temporary table place as select user_id, row_number() over (order by id)::integer as place from app.influencers;
update app.moderation set access_influencer_page = place < 3, access_agencies_page = place < 3, access_events_page = place < 3,
  access_gigs_page = place < 3, subscription_start_date = '2026-06-01'::date - place, subscription_end_date = '2027-06-01'::date - place
from place where place.user_id = moderation.user_id;
update app.influencer_private set payment_info = jsonb_build_object('account_number', (9 - place)::text), date_of_birth = '2000-01-01'::date - place
from place where place.user_id = influencer_private.user_id;
set local session_replication_role = origin;
select is(
  tests.reads(who, format('select case when array_agg(id order by %1$I, id) = array_agg(id order by id) then ''nothing'' else ''much'' end
    from influencers where user_id is distinct from auth.uid()', hidden)),
  case when who = 'service' or who in ('admin', 'superadmin') and not private then 'much' else 'nothing' end,
  format('IN-7 what ordering by %s reveals, as %s', hidden, who))
from unnest(array['visitor', 'unapproved', 'approved', 'verified', 'agency', 'vendor', 'admin', 'superadmin', 'service']) as who
cross join (values ('payment_info', true), ('date_of_birth', true), ('access_influencer_page', false), ('access_agencies_page', false),
  ('access_events_page', false), ('access_gigs_page', false), ('subscription_start_date', false), ('subscription_end_date', false)) as hidden (hidden, private);

\ir ../finish.sql
