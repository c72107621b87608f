-- Section 5 of the matrix: who may do what with vendors.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'VE-1 all', who, 'select * from vendors where email is not null', '2'
from unnest(array['visitor', 'unapproved', 'verified', 'agency', 'vendor', 'admin', 'superadmin', 'service']) as who;
insert into act
select 'VE-2 access flags of others', who, 'select * from vendors where access_events_page is not null', outcome
from (values ('visitor', '0'), ('verified', '0'), ('vendor', '1'), ('agency', '0'), ('admin', '2'), ('superadmin', '2'), ('service', '2')) as cell (who, outcome);

insert into act
select 'VE-3 add own', who, format('insert into vendors (user_id, name, email) values (%L, ''N'', ''n@example.test'')', tests.id(who)), outcome
from (values ('new vendor', '1'), ('vendor', '23505'), ('new influencer', '42501'), ('verified', '42501'), ('agency', '42501'), ('admin', '42501'), ('visitor', '42501')) as cell (who, outcome);
insert into act
select 'VE-3 add for another', who, format('insert into vendors (user_id, name, email) values (%L, ''N'', ''n@example.test'')', tests.id('new vendor')), outcome
from (values ('vendor', '42501'), ('agency', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'VE-4 with ' || preset, who, format('insert into vendors (user_id, name, email, %I) values (%L, ''N'', ''n@example.test'', %L)', preset, tests.id('new vendor'), value), outcome
from (values ('badge_type', 'gold'), ('access_influencer_page', 'false'), ('access_agencies_page', 'false'), ('access_events_page', 'false'),
  ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01'), ('created_at', '2030-01-01')) as preset (preset, value)
cross join (values ('new vendor', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);

insert into act
select 'VE-5 ' || changed, who, format('update vendors set %I = %L where id = %L', changed, value, tests.id('profile of vendor')), outcome
from (values ('name', 'New'), ('description', 'New'), ('email', 'new@example.test'), ('type', 'Catering')) as change (changed, value)
cross join (values ('vendor', '1'), ('other vendor', '0'), ('verified', '0'), ('agency', '0'), ('admin', '42501'), ('superadmin', '42501'), ('visitor', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'VE-6 ' || changed, who, format('update vendors set %I = %L where id = %L', changed, value, tests.id('profile of vendor')), outcome
from (values ('badge_type', 'platinum'), ('access_influencer_page', 'false'), ('access_agencies_page', 'false'), ('access_events_page', 'false'),
  ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01')) as change (changed, value)
cross join (values ('vendor', '42501'), ('other vendor', '42501'), ('verified', '42501'), ('admin', '1'), ('superadmin', '1'), ('visitor', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'VE-7 ' || changed, who, format('update vendors set %I = %L where id = %L', changed, value, tests.id('profile of vendor')), outcome
from (values ('id', '00000000-0000-4000-8000-00000000abcd'), ('user_id', tests.id('new vendor')::text), ('created_at', '2030-01-01')) as change (changed, value)
cross join (values ('vendor', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'wrong ' || wrong, 'admin', format('update vendors set %s where id = %L', wrong, tests.id('profile of vendor')), '23514'
from unnest(array['badge_type = ''diamond''', 'subscription_start_date = ''2026-02-01'', subscription_end_date = ''2026-01-01''', 'subscription_start_date = ''9999-01-01''']) as wrong;

insert into act
select 'VE delete', who, format('delete from vendors where id = %L', tests.id('profile of vendor')), outcome
from (values ('visitor', '42501'), ('vendor', '0'), ('other vendor', '0'), ('verified', '0'), ('admin', '1'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);

-- Not at the base tables either, where no trigger speaks before the policies.
insert into act
select 'VE the moderation row', who, 'update app.vendor_moderation set badge_type = ''gold''', outcome
from (values ('visitor', '42501'), ('vendor', '0'), ('verified', '0'), ('admin', '2'), ('superadmin', '2')) as cell (who, outcome);
insert into act
select 'VE the profile row', who, 'update app.vendors set name = ''New''', outcome
from (values ('visitor', '42501'), ('vendor', '1'), ('verified', '0'), ('admin', '0'), ('superadmin', '0')) as cell (who, outcome);

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

select is(tests.refusal('vendor', 'update vendors set badge_type = ''gold'' where user_id = auth.uid()'),
  'column "badge_type" can be changed by admins only', 'the refusal names the column');
select tests.become('vendor');
select lives_ok('update vendors set name = ''Renamed'', badge_type = badge_type, access_gigs_page = true where user_id = auth.uid()', 'unchanged values may be echoed');
select tests.become('admin');
select lives_ok(format('update vendors set badge_type = ''gold'' where id = %L', tests.id('profile of vendor')), 'an admin gives a badge');
select tests.step_down();
delete from app.user_roles where user_id = tests.id('other vendor');
select is(tests.outcome('other vendor', 'update vendors set name = ''New'''), '0', 'without the role nothing to edit');
select tests.become('visitor');
select is((select name || ' ' || badge_type from vendors where id = tests.id('profile of vendor')), 'Renamed gold', 'and everybody sees it');

\ir ../finish.sql
