-- What visitors leave behind: favourites (signed in) and addresses for the newsletter (anybody).
set local role serasi_owner;

create table app.favorites (
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
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

reset role;
