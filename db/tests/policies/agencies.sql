-- Section 4 of the matrix: who may do what with agencies.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'AG-1 all', who, 'select * from agencies where email is not null', '2'
from unnest(array['visitor', 'unapproved', 'verified', 'agency', 'vendor', 'admin', 'superadmin', 'service']) as who;
insert into act
select 'AG-2 access flags of others', who, 'select * from agencies where access_events_page is not null', outcome
from (values ('visitor', '0'), ('verified', '0'), ('agency', '1'), ('vendor', '0'), ('admin', '2'), ('superadmin', '2'), ('service', '2')) as cell (who, outcome);

insert into act
select 'AG-3 add own', who, format('insert into agencies (user_id, name, email) values (%L, ''N'', ''n@example.test'')', tests.id(who)), outcome
from (values ('new agency', '1'), ('agency', '23505'), ('new influencer', '42501'), ('verified', '42501'), ('vendor', '42501'), ('admin', '42501'), ('visitor', '42501')) as cell (who, outcome);
insert into act
select 'AG-3 add for another', who, format('insert into agencies (user_id, name, email) values (%L, ''N'', ''n@example.test'')', tests.id('new agency')), outcome
from (values ('agency', '42501'), ('vendor', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'AG-4 with ' || preset, who, format('insert into agencies (user_id, name, email, %I) values (%L, ''N'', ''n@example.test'', %L)', preset, tests.id('new agency'), value), outcome
from (values ('badge_type', 'gold'), ('access_influencer_page', 'false'), ('access_agencies_page', 'false'), ('access_events_page', 'false'),
  ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01'), ('created_at', '2030-01-01')) as preset (preset, value)
cross join (values ('new agency', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);

insert into act
select 'AG-5 ' || changed, who, format('update agencies set %I = %L where id = %L', changed, value, tests.id('profile of agency')), outcome
from (values ('name', 'New'), ('description', 'New'), ('email', 'new@example.test'), ('contracts_enabled', 'true')) as change (changed, value)
cross join (values ('agency', '1'), ('other agency', '0'), ('verified', '0'), ('vendor', '0'), ('admin', '42501'), ('superadmin', '42501'), ('visitor', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'AG-6 ' || changed, who, format('update agencies set %I = %L where id = %L', changed, value, tests.id('profile of agency')), outcome
from (values ('badge_type', 'platinum'), ('access_influencer_page', 'false'), ('access_agencies_page', 'false'), ('access_events_page', 'false'),
  ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01')) as change (changed, value)
cross join (values ('agency', '42501'), ('other agency', '42501'), ('verified', '42501'), ('admin', '1'), ('superadmin', '1'), ('visitor', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'AG-7 ' || changed, who, format('update agencies set %I = %L where id = %L', changed, value, tests.id('profile of agency')), outcome
from (values ('id', '00000000-0000-4000-8000-00000000abcd'), ('user_id', tests.id('new agency')::text), ('created_at', '2030-01-01')) as change (changed, value)
cross join (values ('agency', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'wrong ' || wrong, 'admin', format('update agencies set %s where id = %L', wrong, tests.id('profile of agency')), '23514'
from unnest(array['badge_type = ''diamond''', 'subscription_start_date = ''2026-02-01'', subscription_end_date = ''2026-01-01''', 'subscription_start_date = ''9999-01-01''']) as wrong;
insert into act
select 'AG-8 ' || why, 'agency', format('update agencies set gallery = %s where user_id = auth.uid()', value), outcome
from (values ('eight', 'array_fill(''https://pictures.example.test/1.jpg''::text, array[8])', '1'), ('nine', 'array_fill(''https://pictures.example.test/1.jpg''::text, array[9])', '23514'),
  ('script', 'array[''javascript:alert(1)'']', '23514'), ('a hole', 'array[null]', '23514'), ('no list', '''one''', '22P02')) as change (why, value, outcome);

insert into act
select 'AG delete', who, format('delete from agencies where id = %L', tests.id('profile of agency')), outcome
from (values ('visitor', '42501'), ('agency', '0'), ('other agency', '0'), ('verified', '0'), ('admin', '1'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);

-- Not at the base tables either, where no trigger speaks before the policies.
insert into act
select 'AG the moderation row', who, 'update app.agency_moderation set badge_type = ''gold''', outcome
from (values ('visitor', '42501'), ('agency', '0'), ('verified', '0'), ('admin', '2'), ('superadmin', '2')) as cell (who, outcome);
insert into act
select 'AG the profile row', who, 'update app.agencies set name = ''New''', outcome
from (values ('visitor', '42501'), ('agency', '1'), ('verified', '0'), ('admin', '0'), ('superadmin', '0')) as cell (who, outcome);

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

select is(tests.refusal('agency', 'update agencies set badge_type = ''gold'' where user_id = auth.uid()'),
  'column "badge_type" can be changed by admins only', 'the refusal names the column');
select tests.become('agency');
select lives_ok('update agencies set name = ''Renamed'', badge_type = badge_type, access_gigs_page = true where user_id = auth.uid()', 'unchanged values may be echoed');
select tests.become('admin');
select lives_ok(format('update agencies set badge_type = ''gold'' where id = %L', tests.id('profile of agency')), 'an admin gives a badge');
select tests.step_down();
delete from app.user_roles where user_id = tests.id('other agency');
select is(tests.outcome('other agency', 'update agencies set name = ''New'''), '0', 'without the role nothing to edit');
select tests.become('visitor');
select is((select name || ' ' || badge_type from agencies where id = tests.id('profile of agency')), 'Renamed gold', 'and everybody sees it');

-- Deleting an agency takes its gigs along.
select tests.become('admin');
delete from agencies where id = tests.id('profile of agency');
select tests.step_down();
select is((select array_agg(description)::text from app.gigs), '{"Of other agency"}', 'AG-9: its gigs are gone, others'' are not');
select is((select count(*) from app.user_roles where user_id = tests.id('agency')), 1::bigint, 'MA-14: the account and its role stay');

\ir ../finish.sql
