-- Collaborations end, and both sides review each other. The average of an influencer's or agency's reviews is stored with
-- the profile, so that lists sort and filter by it.
set local role serasi_owner;

alter table app.collaborations
  add constraint collaborations_cancelled_by_someone check ((cancelled_by is not null) = (state = 'cancelled')),
  add constraint collaborations_reason_required check (
    state <> 'cancelled' or cancelled_by = 'deletion' or coalesce(btrim(reason, E' \t\r\n'), '') <> ''),
  add constraint collaborations_completed_by_a_side check (
    state <> 'completed' or influencer_completed_at is not null or client_completed_at is not null);
-- Completed by one side, waiting for the other.
create index collaborations_half_completed on app.collaborations ((least(influencer_completed_at, client_completed_at)))
  where state = 'accepted';

-- `side` is who wrote: the client reviews the influencer, the influencer reviews the client, which may be an agency.
-- `author_key` identifies the author for good: the account's id, or the hash of a guest's address.
create table app.reviews (
  id uuid primary key default gen_random_uuid(),
  collaboration_id uuid not null references app.collaborations (id) on delete cascade on update cascade,
  influencer_id uuid references app.influencers (id) on delete set null on update cascade,
  agency_id uuid references app.agencies (id) on delete set null on update cascade,
  author_id uuid references app.profiles (id) on delete set null on update cascade,
  author_key text not null,
  side text not null,
  rating smallint not null,
  text text not null,
  paid_on_time boolean,
  created_at timestamptz not null default now(),
  publish_at timestamptz not null,
  published_at timestamptz,
  reply text,
  replied_at timestamptz,
  hidden_at timestamptz,
  counted boolean not null default false,
  constraint reviews_one_per_side unique (collaboration_id, side),
  constraint reviews_side_known check (side in ('influencer', 'client')),
  constraint reviews_rating_1_to_5 check (rating between 1 and 5),
  constraint reviews_text_min_20 check (char_length(btrim(text, E' \t\r\n')) >= 20),
  constraint reviews_text_max_1000 check (char_length(text) <= 1000),
  constraint reviews_paid_on_time_by_influencers check (paid_on_time is null or side = 'influencer'),
  constraint reviews_reply_required check (btrim(reply, E' \t\r\n') <> ''),
  constraint reviews_reply_max_1000 check (char_length(reply) <= 1000),
  constraint reviews_replied check ((reply is null) = (replied_at is null)),
  constraint reviews_reply_after_publication check (reply is null or published_at is not null),
  constraint reviews_hidden_after_publication check (hidden_at is null or published_at is not null),
  constraint reviews_counted_while_shown check (not counted or (published_at is not null and hidden_at is null))
);
create index reviews_of_influencer on app.reviews (influencer_id, side, published_at desc, id desc);
create index reviews_of_agency on app.reviews (agency_id, side, published_at desc, id desc);
create index reviews_of_author on app.reviews (author_id);
create index reviews_newest on app.reviews (published_at desc, id desc) where published_at is not null and hidden_at is null;
create index reviews_to_publish on app.reviews (publish_at) where published_at is null;
-- Of each author's reviews of one profile, one counts.
create unique index reviews_counted_of_influencer on app.reviews (influencer_id, author_key) where counted and side = 'client';
create unique index reviews_counted_of_agency on app.reviews (agency_id, author_key) where counted and side = 'influencer';

-- `double precision`, because the comparison of `numeric` is not leakproof: under row security it could use no index.
alter table app.influencers
  add column review_count integer not null default 0,
  add column rating_sum integer not null default 0,
  add column rating double precision generated always as (
    case when review_count >= 3 then round(rating_sum::numeric / review_count, 2)::double precision end) stored,
  add constraint influencers_rating_sum_of_reviews check (rating_sum between review_count and 5 * review_count);
-- For the order and for the filter. Not partial, like all indexes of filters (0019).
create index influencers_best_rated on app.influencers (rating desc nulls last, created_at desc, id desc);

alter table app.agencies
  add column review_count integer not null default 0,
  add column rating_sum integer not null default 0,
  add column rating double precision generated always as (
    case when review_count >= 3 then round(rating_sum::numeric / review_count, 2)::double precision end) stored,
  add constraint agencies_rating_sum_of_reviews check (rating_sum between review_count and 5 * review_count);
create index agencies_best_rated on app.agencies (rating desc nulls last, created_at desc, id desc);

alter table app.audit_log
  drop constraint audit_log_action_known,
  drop constraint audit_log_subject_type_known,
  add constraint audit_log_action_known check (action in (
    'approve', 'unapprove', 'set_badge', 'set_access', 'set_subscription', 'delete_profile', 'grant_role', 'revoke_role',
    'request_backup', 'hide_review')),
  add constraint audit_log_subject_type_known check (
    subject_type in ('influencer', 'agency', 'vendor', 'account', 'backup', 'review'));

reset role;
