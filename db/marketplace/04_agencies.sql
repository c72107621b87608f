-- Agencies: everyone reads them, their owner writes. What admins decide is in app.moderation (10_admins.sql).
set local role serasi_owner;

create table app.agencies (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  name app.label not null,
  email app.label not null,
  company_name app.label,
  phone text,
  website text,
  description app.label,
  location app.label,
  type text,
  contracts_enabled boolean not null default false,
  logo_url text,
  banner_url text,
  gallery text[] not null default '{}',
  created_at timestamptz not null default now(),
  badge_type text not null default 'none',
  review_count integer not null default 0,
  rating_sum integer not null default 0,
  rating double precision generated always as (
    case when review_count >= 3 then round(rating_sum::numeric / review_count, 2)::double precision end) stored,
  constraint agencies_user_id_key unique (user_id),
  constraint agencies_name_required check (btrim(name) <> ''),
  constraint agencies_name_max_100 check (char_length(name) <= 100),
  constraint agencies_email_valid check (app.is_email(email)),
  constraint agencies_company_name_max_100 check (char_length(company_name) <= 100),
  constraint agencies_phone_max_20 check (char_length(phone) <= 20),
  constraint agencies_website_url check (app.is_web_link(website)),
  constraint agencies_description_max_500 check (char_length(description) <= 500),
  constraint agencies_location_max_100 check (char_length(location) <= 100),
  constraint agencies_visible_text check (app.is_one_line(name, company_name, phone, location)),
  constraint agencies_type_known check (type in ('', 'Marketing', 'PR', 'Talent Search')),
  constraint agencies_logo_url check (app.is_image_url(logo_url)),
  constraint agencies_banner_url check (app.is_image_url(banner_url)),
  constraint agencies_gallery_urls check (app.is_image_list(gallery)),
  constraint agencies_gallery_max_8 check (cardinality(gallery) <= 8),
  constraint agencies_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum')),
  constraint agencies_rating_sum_of_reviews check (rating_sum between review_count and 5 * review_count)
);
create index agencies_newest on app.agencies (created_at desc, id desc);
create index agencies_newest_of_type on app.agencies (type, created_at desc, id desc);
create index agencies_search on app.agencies using gin (
  name app.label_trigrams, company_name app.label_trigrams, description app.label_trigrams, location app.label_trigrams) with (fastupdate = off);
create index agencies_email_search on app.agencies using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index agencies_by_name on app.agencies (name, id);
create index agencies_badge_type on app.agencies (badge_type);
create index agencies_best_rated on app.agencies (rating desc nulls last, created_at desc, id desc);
