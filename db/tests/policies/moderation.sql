-- The counts on the tabs of the admin pages: one row for admins, none for others.
\ir ../setup.sql
select tests.people() \gset

copy act (id, sql, request, body, visitor, new_influencer, unapproved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
MC-1 all | select * from moderation_counts | GET moderation_counts | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 42501
MC-1 as the admin tabs query | select pending, influencers, agencies, vendors, admins from moderation_counts | GET moderation_counts?select=pending,influencers,agencies,vendors,admins | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 42501
MC-1 filter by a hidden value | select from moderation_counts where pending > 0 | GET moderation_counts?pending=gt.0 | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 42501
MC-1 counted | select * from moderation_counts | HEAD moderation_counts ; Prefer: count=exact | | 42501 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 42501
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
