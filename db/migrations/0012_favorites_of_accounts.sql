-- Favourites refer to the account, which the API does not show. Referring to the profile they would be a
-- junction between profiles and influencers, and `influencers?select=profiles(email)` ambiguous (PGRST201).
set local role serasi_owner;

alter table app.favorites drop constraint favorites_user_id_fkey;
alter table app.favorites add constraint favorites_user_id_fkey
  foreign key (user_id) references auth.users (id) on delete cascade on update cascade;

reset role;
