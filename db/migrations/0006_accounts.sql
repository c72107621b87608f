-- Who somebody is: made with the account by a trigger on auth.users, never written through the API.
set local role serasi_owner;

create table app.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  email text
);
create index profiles_email on app.profiles (email);

create table app.user_roles (
  user_id uuid not null references app.profiles (id) on delete cascade,
  role text not null,
  primary key (user_id, role),
  constraint user_roles_role_known check (role in ('influencer', 'agency', 'vendor', 'admin', 'superadmin'))
);
create index user_roles_staff on app.user_roles (role, user_id) where role in ('admin', 'superadmin');

reset role;
