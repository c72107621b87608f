-- What agencies offer to influencers; gone with the agency's profile.
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
  constraint gigs_title_required check (btrim(title, E' \t\r\n') <> ''),
  constraint gigs_title_max_200 check (char_length(title) <= 200),
  constraint gigs_description_required check (btrim(description, E' \t\r\n') <> ''),
  constraint gigs_description_max_5000 check (char_length(description) <= 5000),
  constraint gigs_budget_max_100 check (char_length(budget) <= 100),
  constraint gigs_duration_max_100 check (char_length(duration) <= 100),
  constraint gigs_requirements_max_2000 check (char_length(requirements) <= 2000)
);
create index gigs_of_agency on app.gigs (agency_id, created_at desc, id desc);
create index gigs_newest on app.gigs (created_at desc, id desc);

reset role;
