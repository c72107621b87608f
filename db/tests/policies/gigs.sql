-- Section 6 of the matrix: who may do what with gigs.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;
select tests.influencer('shut out', true, 'gold');
update app.influencer_moderation set access_gigs_page = false where user_id = tests.id('shut out');
select tests.influencer('lapsed', true, 'gold');
update app.influencer_moderation set subscription_end_date = '2020-01-01' where user_id = tests.id('lapsed');

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'GI-1 with the agency', who, 'select gigs.*, agencies.name, agencies.logo_url from gigs left join agencies on agencies.id = gigs.agency_id', outcome
from (values ('visitor', '42501'), ('unapproved', '0'), ('approved', '0'), ('verified', '2'), ('shut out', '0'), ('lapsed', '2'), ('agency', '1'),
  ('other agency', '1'), ('new agency', '0'), ('vendor', '0'), ('admin', '2'), ('superadmin', '2'), ('service', '2')) as cell (who, outcome);
insert into act
select 'GI-2 of one agency', who, format('select * from gigs where agency_id = %L', tests.id('profile of agency')), outcome
from (values ('approved', '0'), ('verified', '1'), ('agency', '1'), ('other agency', '0'), ('vendor', '0'), ('admin', '1')) as cell (who, outcome);
insert into act
select 'GI-12 the agency''s flags through the gig', who,
  'select from gigs join agencies on agencies.id = gigs.agency_id where agencies.access_gigs_page is not null', outcome
from (values ('verified', '0'), ('agency', '1'), ('admin', '2')) as cell (who, outcome);

insert into act
select 'GI-6/7 post', who, format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of agency')), outcome
from (values ('visitor', '42501'), ('verified', '42501'), ('agency', '1'), ('other agency', '42501'), ('new agency', '42501'), ('vendor', '42501'),
  ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'GI-8 edit', who, format('update gigs set title = ''New'' where id = %L', tests.id('gig of agency')), outcome
from (values ('visitor', '42501'), ('verified', '0'), ('agency', '1'), ('other agency', '0'), ('vendor', '0'), ('admin', '0'), ('superadmin', '0'), ('service', '1')) as cell (who, outcome);
insert into act
select 'GI-9 move', who, format('update gigs set agency_id = %L where id = %L', tests.id('profile of other agency'), tests.id('gig of agency')), outcome
from (values ('agency', '42501'), ('other agency', '0'), ('admin', '0'), ('service', '1')) as cell (who, outcome);
-- Without a condition only the update policy speaks, not the one for reading.
insert into act
select 'GI-9 move all there is', who, format('update app.gigs set agency_id = %L', tests.id('profile of other agency')), outcome
from (values ('agency', '42501'), ('other agency', '1'), ('verified', '0'), ('admin', '0')) as cell (who, outcome);
insert into act
select 'GI-10 delete', who, format('delete from gigs where id = %L', tests.id('gig of agency')), outcome
from (values ('visitor', '42501'), ('verified', '0'), ('agency', '1'), ('other agency', '0'), ('vendor', '0'), ('admin', '0'), ('superadmin', '0'), ('service', '1')) as cell (who, outcome);
insert into act
select 'GI-11 blank ' || blank, who,
  format('insert into gigs (agency_id, title, description) values (%L, %L, %L)', tests.id('profile of agency'),
    case blank when 'title' then E' \t' else 'T' end, case blank when 'description' then E'\n ' else 'D' end), outcome
from unnest(array['title', 'description']) as blank
cross join (values ('agency', '23514'), ('other agency', '42501'), ('verified', '42501'), ('admin', '42501'), ('visitor', '42501'), ('service', '23514')) as cell (who, outcome);
insert into act values
  ('a posting date of one''s own', 'agency', 'update gigs set created_at = now()', '42501');

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

-- Roles are looked up, not remembered.
delete from app.user_roles where user_id in (tests.id('verified'), tests.id('agency'));
select is(tests.outcome('verified', 'select * from gigs'), '0', 'without the role, nothing to browse');
select is(tests.outcome('agency', 'update gigs set title = ''New'''), '0', 'and nothing to edit');

\ir ../finish.sql
