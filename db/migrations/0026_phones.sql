-- Operators may note a telephone number with an account, and an account may have nothing else.
set local role serasi_owner;

alter table auth.users
  add constraint users_phone_key unique (phone),
  add constraint users_phone_digits check (phone ~ '^[1-9][0-9]{1,14}$');

reset role;
