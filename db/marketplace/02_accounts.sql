-- Who somebody is: created with the account by a trigger on auth.users, never written through the API.
set local role serasi_owner;

create table app.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email app.label
);
create index profiles_email on app.profiles (email);
create index profiles_search on app.profiles using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index profiles_mailbox on app.profiles (serasi.mailbox_of(email));
-- Rare values, which a short histogram loses: very many followers, letters that few names have.
alter table app.profiles
  alter email set statistics 500;

create table app.user_roles (
  user_id uuid not null references app.profiles (id) on delete cascade,
  role text not null,
  primary key (user_id, role),
  constraint user_roles_role_known check (role in ('influencer', 'agency', 'vendor', 'admin', 'superadmin'))
);
create index user_roles_staff on app.user_roles (role, user_id) where role in ('admin', 'superadmin');

-- What is left to erase after a deletion: the account, or what it had to do with (enquiries, reports, reviews …), whose copies
-- are in the rows of others.
create table app.erasures (
  id uuid primary key default gen_random_uuid(),
  account uuid not null,
  subject_id uuid not null,
  -- To find what was stored under it before the deletion. If the account never proved it, it may be somebody else's.
  address text,
  proved boolean not null default false,
  created_at timestamptz not null default now()
);

reset role;
-- Pictures: the first folder of a name is the ID of the account that owns it.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('images', 'images', true, 10485760, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);
