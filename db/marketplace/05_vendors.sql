-- Vendors: everyone reads them, their owner writes. What admins decide is in app.moderation (10_admins.sql).
set local role serasi_owner;

create table app.vendors (
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
  logo_url text,
  created_at timestamptz not null default now(),
  badge_type text not null default 'none',
  constraint vendors_user_id_key unique (user_id),
  constraint vendors_name_required check (btrim(name) <> ''),
  constraint vendors_name_max_100 check (char_length(name) <= 100),
  constraint vendors_email_valid check (app.is_email(email)),
  constraint vendors_company_name_max_100 check (char_length(company_name) <= 100),
  constraint vendors_phone_max_20 check (char_length(phone) <= 20),
  constraint vendors_website_url check (app.is_web_link(website)),
  constraint vendors_description_max_500 check (char_length(description) <= 500),
  constraint vendors_location_max_100 check (char_length(location) <= 100),
  constraint vendors_visible_text check (app.is_one_line(name, company_name, phone, location)),
  constraint vendors_type_max_50 check (char_length(type) <= 50),
  constraint vendors_type_known check (type in ('', 'Equipment', 'Services', 'Catering', 'Production', 'Technical')),
  constraint vendors_logo_url check (app.is_image_url(logo_url)),
  constraint vendors_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum'))
);
create index vendors_newest on app.vendors (created_at desc, id desc);
create index vendors_newest_of_type on app.vendors (type, created_at desc, id desc);
create index vendors_search on app.vendors using gin (
  name app.label_trigrams, company_name app.label_trigrams, description app.label_trigrams, location app.label_trigrams) with (fastupdate = off);
create index vendors_email_search on app.vendors using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index vendors_by_name on app.vendors (name, id);
create index vendors_badge_type on app.vendors (badge_type);
