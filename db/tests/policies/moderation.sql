-- The counts on the tabs of the admin pages: one row for admins, none for others.
\ir ../setup.sql
select tests.people() \gset

copy act (line) from stdin;
MC-1 all
  sql: select * from moderation_counts
  request: GET moderation_counts
  42501: visitor, service
  0: new influencer, unapproved, verified, agency, vendor
  1: admin, superadmin
MC-1 as the admin tabs query
  sql: select pending, influencers, agencies, vendors, admins from moderation_counts
  request: GET moderation_counts?select=pending,influencers,agencies,vendors,admins
  42501: visitor, service
  0: new influencer, unapproved, verified, agency, vendor
  1: admin, superadmin
MC-1 filter by a hidden value
  sql: select from moderation_counts where pending > 0
  request: GET moderation_counts?pending=gt.0
  42501: visitor, service
  0: new influencer, unapproved, verified, agency, vendor
  1: admin, superadmin
MC-1 counted
  sql: select * from moderation_counts
  request: HEAD moderation_counts ; Prefer: count=exact
  42501: visitor, service
  0: new influencer, unapproved, verified, agency, vendor
  1: admin, superadmin
\.

select * from tests.matrix();

create function pg_temp.counts(person text) returns text language sql as $$
  select tests.reads(person, 'select concat_ws('' '', pending, influencers, agencies, vendors, admins) from moderation_counts')
$$;
select is(pg_temp.counts(person), '2 3 2 2 3', 'MC-2 as ' || person) from unnest('{admin,superadmin}'::text[]) as person;
select is(pg_temp.counts('agency'), null, 'MC-2 others get no row');

-- An account with both roles counts once.
insert into app.user_roles (user_id, role) values (tests.id('superadmin'), 'admin');
select is(pg_temp.counts('superadmin'), '2 3 2 2 3', 'MC-3 two roles, one admin');
delete from app.user_roles where user_id = tests.id('admin');
select is(pg_temp.counts('admin'), null, 'MC-3 a removed role takes effect at once');
select is(pg_temp.counts('superadmin'), '2 3 2 2 2', 'MC-3 a removed role is not counted');

\ir ../finish.sql
