-- What agencies offer to influencers; deleted with the agency's profile. Gigs may have a last day and a number of places.
set local role serasi_owner;

create table app.gigs (
  id uuid primary key default gen_random_uuid(),
  agency_id uuid not null references app.agencies (id) on delete cascade on update cascade,
  title text not null,
  description text not null,
  budget text,
  duration text,
  requirements text,
  created_at timestamptz not null default now(),
  closes_on date,
  places integer,
  -- The values of `closes_on` for which applicants were reminded, and told that the gig closed.
  reminded_for date,
  closed_for date,
  -- When admins closed it: then it is shown to its agency and to admins only.
  closed_at timestamptz,
  constraint gigs_title_required check (btrim(title, E' \t\r\n') <> ''),
  constraint gigs_title_max_200 check (char_length(title) <= 200),
  constraint gigs_description_required check (btrim(description, E' \t\r\n') <> ''),
  constraint gigs_description_max_5000 check (char_length(description) <= 5000),
  constraint gigs_budget_max_100 check (char_length(budget) <= 100),
  constraint gigs_duration_max_100 check (char_length(duration) <= 100),
  constraint gigs_visible_text check (app.is_one_line(title, budget, duration)),
  constraint gigs_requirements_max_2000 check (char_length(requirements) <= 2000),
  constraint gigs_closes_on_range check (closes_on between '2020-01-01' and '2100-01-01'),
  constraint gigs_places_range check (places between 1 and 1000)
);
create index gigs_of_agency on app.gigs (agency_id, created_at desc, id desc);
create index gigs_newest on app.gigs (created_at desc, id desc);
create index gigs_closing on app.gigs (closes_on) where closes_on is not null;
create index gigs_not_closed on app.gigs (closes_on) where closed_for is distinct from closes_on;
-- What the policy of gigs compares. A list that counts all gigs reads this index instead of the table.
create index gigs_counted on app.gigs (closed_at, agency_id);

-- An application outlives its gig and both parties, which are null when they were deleted.
create table app.gig_applications (
  id uuid primary key default gen_random_uuid(),
  agency_id uuid references app.agencies (id) on delete set null on update cascade,
  gig_id uuid references app.gigs (id) on delete set null on update cascade,
  influencer_id uuid references app.influencers (id) on delete set null on update cascade,
  collaboration_id uuid unique references app.collaborations (id) on delete set null on update cascade,
  pitch text not null,
  quote integer,
  state text not null default 'applied',
  gig_title text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  -- When the withdrawn application was made that this one replaces. There is no third one.
  earlier_created_at timestamptz,
  -- When the agency was told of it.
  digested_at timestamptz,
  -- Why the gig is over, or 'closing' before it is, until the applicant is told (app.tick).
  untold text,
  constraint gig_applications_gig_id_influencer_id_key unique (gig_id, influencer_id),
  constraint gig_applications_pitch_min_20 check (char_length(btrim(pitch, E' \t\r\n')) >= 20),
  constraint gig_applications_pitch_max_1000 check (char_length(pitch) <= 1000),
  constraint gig_applications_quote_range check (quote between 0 and 10000000),
  constraint gig_applications_state_known check (
    state in ('applied', 'shortlisted', 'accepted', 'declined', 'withdrawn', 'cancelled', 'completed')),
  constraint gig_applications_collaboration check (collaboration_id is null or state in ('accepted', 'cancelled', 'completed')),
  constraint gig_applications_gig_title_max_200 check (char_length(gig_title) <= 200),
  constraint gig_applications_decided check (decided_at is not null or state in ('applied', 'withdrawn')),
  constraint gig_applications_untold_known check (untold in ('full', 'closed', 'removed', 'closing'))
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index gig_applications_of_gig on app.gig_applications (gig_id, created_at desc, id desc);
create index gig_applications_of_influencer on app.gig_applications (influencer_id, created_at desc, id desc);
create index gig_applications_of_agency on app.gig_applications (agency_id, digested_at);
-- Who takes a place.
create index gig_applications_accepted on app.gig_applications (gig_id) where state in ('accepted', 'completed');
create index gig_applications_not_digested on app.gig_applications (agency_id) where digested_at is null;
create index gig_applications_untold on app.gig_applications (id) where untold is not null;
create index gig_applications_without_party on app.gig_applications (created_at) where coalesce(influencer_id, agency_id) is null;
