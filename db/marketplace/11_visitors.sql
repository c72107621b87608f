-- What visitors leave behind: favorites (signed in) and addresses for the newsletter (anybody).
set local role serasi_owner;

create table app.favorites (
  -- Refers to the account, which the API does not show. With a reference to the profile, this would be a junction between
  -- profiles and influencers, and `influencers?select=profiles(email)` ambiguous (PGRST201).
  user_id uuid not null references auth.users (id) on delete cascade on update cascade,
  influencer_id uuid not null references app.influencers (id) on delete cascade on update cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, influencer_id)
);
create index favorites_influencer_id on app.favorites (influencer_id);

create table app.newsletter_subscriptions (
  email text primary key,
  created_at timestamptz not null default now(),
  constraint newsletter_subscriptions_email_valid check (app.is_email(email)),
  constraint newsletter_subscriptions_email_lower_case check (email = lower(email))
);

-- How much of an hour and of a day is used up at the newsletter, by one client and by all together.
create table app.newsletter_allowances (
  -- The hash of a client, removed after a day; 'unknown' for requests without an address, 'all'.
  source text primary key,
  -- Each subscription moves both on by its share. One that would move either further ahead than its period is refused.
  hour_used_until timestamptz not null,
  day_used_until timestamptz not null
) with (autovacuum_vacuum_scale_factor= 0.02, autovacuum_analyze_scale_factor= 0.02);
create index newsletter_allowances_day_used_until on app.newsletter_allowances (day_used_until);
