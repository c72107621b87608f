-- Agencies: public to read, written by their owner; what admins decide lies apart.
set local role serasi_owner;

create table app.agencies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  name text not null,
  email text not null,
  company_name text,
  phone text,
  website text,
  description text,
  location text,
  type text,
  contracts_enabled boolean not null default false,
  logo_url text,
  banner_url text,
  gallery text[] not null default '{}',
  created_at timestamptz not null default now(),
  badge_type text not null default 'none',

  constraint agencies_user_id_key unique (user_id),
  constraint agencies_name_required check (btrim(name) <> ''),
  constraint agencies_name_max_100 check (char_length(name) <= 100),
  constraint agencies_email_valid check (app.is_email(email)),
  constraint agencies_company_name_max_100 check (char_length(company_name) <= 100),
  constraint agencies_phone_max_20 check (char_length(phone) <= 20),
  constraint agencies_website_url check (app.is_web_link(website)),
  constraint agencies_description_max_500 check (char_length(description) <= 500),
  constraint agencies_location_max_100 check (char_length(location) <= 100),
  constraint agencies_type_known check (type in ('', 'Marketing', 'PR', 'Talent Search')),
  constraint agencies_logo_url check (app.is_image_url(logo_url)),
  constraint agencies_banner_url check (app.is_image_url(banner_url)),
  constraint agencies_gallery_urls check (app.is_image_list(gallery)),
  constraint agencies_gallery_max_8 check (cardinality(gallery) <= 8),
  constraint agencies_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum'))
);
create index agencies_newest on app.agencies (created_at desc, id desc);
create index agencies_newest_of_type on app.agencies (type, created_at desc, id desc);

create table app.agency_moderation (
  user_id uuid primary key references app.agencies (user_id) on delete cascade on update cascade,
  badge_type text not null default 'none',
  access_influencer_page boolean not null default true,
  access_agencies_page boolean not null default true,
  access_events_page boolean not null default true,
  access_gigs_page boolean not null default true,
  subscription_start_date timestamptz,
  subscription_end_date timestamptz,
  constraint agency_moderation_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum')),
  constraint agency_moderation_subscription_dates_plausible check (
    app.is_subscription_date(subscription_start_date) and app.is_subscription_date(subscription_end_date)),
  constraint agency_moderation_subscription_dates_in_order check (subscription_end_date >= subscription_start_date)
);

reset role;
