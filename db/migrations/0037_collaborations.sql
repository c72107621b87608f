-- Work that two parties have agreed on: an accepted enquiry or gig application. The client is an agency, another
-- account, or a guest. A party whose account or profile was deleted is null.
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
  constraint collaborations_source_known check (source in ('enquiry', 'application')),
  constraint collaborations_title_max_200 check (char_length(title) <= 200),
  constraint collaborations_guest_name_max_100 check (char_length(guest_name) <= 100),
  constraint collaborations_state_known check (state in ('accepted', 'completed', 'cancelled')),
  constraint collaborations_completed check ((completed_at is not null) = (state = 'completed')),
  constraint collaborations_cancelled check ((cancelled_at is not null) = (state = 'cancelled')),
  constraint collaborations_cancelled_by_known check (cancelled_by in ('influencer', 'client', 'admin', 'deletion')),
  constraint collaborations_reason_max_500 check (char_length(reason) <= 500)
);
create index collaborations_of_influencer on app.collaborations (influencer_id, created_at desc, id desc);
create index collaborations_of_client on app.collaborations (client_user_id, created_at desc, id desc);
create index collaborations_of_agency on app.collaborations (agency_id, created_at desc, id desc);

reset role;
