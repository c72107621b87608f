-- Work that two parties have agreed on: an accepted enquiry or gig application. The client is an agency, another account, or a
-- guest. A party whose account or profile was deleted is null.
set local role serasi_owner;

create table app.collaborations (
  id uuid primary key default gen_random_uuid(),
  source text not null,
  title text not null,
  influencer_id uuid references app.influencers (id) on delete set null on update cascade,
  client_user_id uuid references app.profiles (id) on delete set null on update cascade,
  agency_id uuid references app.agencies (id) on delete set null on update cascade,
  guest_name text,
  state text not null default 'accepted',
  created_at timestamptz not null default now(),
  influencer_completed_at timestamptz,
  client_completed_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text,
  reason text,
  -- The side that is to be told that the other one was deleted.
  untold text,
  constraint collaborations_source_known check (source in ('enquiry', 'application')),
  constraint collaborations_title_max_200 check (char_length(title) <= 200),
  constraint collaborations_guest_name_max_100 check (char_length(guest_name) <= 100),
  constraint collaborations_visible_text check (app.is_one_line(title, guest_name)),
  constraint collaborations_state_known check (state in ('accepted', 'completed', 'cancelled')),
  constraint collaborations_completed_by_a_side check (
    state <> 'completed' or influencer_completed_at is not null or client_completed_at is not null),
  constraint collaborations_completed check ((completed_at is not null) = (state = 'completed')),
  constraint collaborations_cancelled check ((cancelled_at is not null) = (state = 'cancelled')),
  constraint collaborations_cancelled_by_known check (cancelled_by in ('influencer', 'client', 'admin', 'deletion')),
  constraint collaborations_cancelled_by_someone check ((cancelled_by is not null) = (state = 'cancelled')),
  constraint collaborations_reason_max_500 check (char_length(reason) <= 500),
  constraint collaborations_reason_required check (
    state <> 'cancelled' or cancelled_by = 'deletion' or coalesce(btrim(reason, E' \t\r\n'), '') <> ''),
  constraint collaborations_untold_known check (untold in ('influencer', 'client'))
);
create index collaborations_of_influencer on app.collaborations (influencer_id, created_at desc, id desc);
create index collaborations_of_client on app.collaborations (client_user_id, created_at desc, id desc);
create index collaborations_of_agency on app.collaborations (agency_id, created_at desc, id desc);
-- Completed by one side, waiting for the other.
create index collaborations_half_completed on app.collaborations ((least(influencer_completed_at, client_completed_at)))
  where state = 'accepted';
create index collaborations_untold on app.collaborations (id) where untold is not null;
create index collaborations_of_guests on app.collaborations (created_at) where guest_name is not null;
create index collaborations_without_party on app.collaborations (created_at) where coalesce(influencer_id, client_user_id, agency_id) is null;

-- Both sides review each other. The average of an influencer's or agency's reviews is stored with the profile, so that lists sort
-- and filter by it.
create table app.reviews (
  id uuid primary key default gen_random_uuid(),
  collaboration_id uuid not null references app.collaborations (id) on delete cascade on update cascade,
  influencer_id uuid references app.influencers (id) on delete set null on update cascade,
  agency_id uuid references app.agencies (id) on delete set null on update cascade,
  author_id uuid references app.profiles (id) on delete set null on update cascade,
  -- Identifies the author for good: the account's id, or the hash of a guest's address.
  author_key text not null,
  -- Who wrote: the client reviews the influencer, the influencer reviews the client, which may be an agency.
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
  constraint reviews_side_known check (side in ('influencer', 'client')),
  constraint reviews_one_per_side unique (collaboration_id, side),
  constraint reviews_rating_1_to_5 check (rating between 1 and 5),
  constraint reviews_text_min_20 check (char_length(btrim(text, E' \t\r\n')) >= 20),
  constraint reviews_text_max_1000 check (char_length(text) <= 1000),
  constraint reviews_paid_on_time_by_influencers check (paid_on_time is null or side = 'influencer'),
  constraint reviews_reply_required check (btrim(reply, E' \t\r\n') <> ''),
  constraint reviews_reply_max_1000 check (char_length(reply) <= 1000),
  constraint reviews_reply_after_publication check (reply is null or published_at is not null),
  constraint reviews_replied check ((reply is null) = (replied_at is null)),
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
