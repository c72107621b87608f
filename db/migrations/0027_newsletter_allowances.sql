-- How much of an hour and of a day is used up at the newsletter, by one client and by all together.
set local role serasi_owner;

-- Each subscription moves both moments on by its share; one that would move either further ahead than its period
-- is refused. Clients as hashes, which are removed after a day; 'unknown' for requests without an address, 'all'.
create table app.newsletter_allowances (
  source text primary key,
  hour_used_until timestamptz not null,
  day_used_until timestamptz not null
);
create index newsletter_allowances_day_used_until on app.newsletter_allowances (day_used_until);

reset role;
