-- Section 3 of the matrix: who may do what with influencers.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

-- Reading. Five influencers, two of them unapproved.
insert into act values
  ('IN-1 all', 'visitor', 'select * from influencers', '3'),
  ('IN-1 all', 'unapproved', 'select * from influencers', '4'),
  ('IN-1 all', 'verified', 'select * from influencers', '3'),
  ('IN-1 all', 'agency', 'select * from influencers', '3'),
  ('IN-1 all', 'vendor', 'select * from influencers', '3'),
  ('IN-1 all', 'admin', 'select * from influencers', '5'),
  ('IN-1 all', 'superadmin', 'select * from influencers', '5'),
  ('IN-1 all', 'service', 'select * from influencers', '5');
insert into act
select 'IN-3 the unapproved row of another', who, format('select * from influencers where id = %L', tests.id('profile of other unapproved')), outcome
from (values ('visitor', '0'), ('unapproved', '0'), ('approved', '0'), ('verified', '0'), ('agency', '0'), ('vendor', '0'),
  ('admin', '1'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);
insert into act
select 'IN-6 filter on payment details', who, 'select * from influencers where payment_info ->> ''account_number'' = ''42''', outcome
from (values ('visitor', '0'), ('agency', '0'), ('verified', '1'), ('admin', '0'), ('superadmin', '0'), ('service', '5')) as cell (who, outcome);
insert into act
select 'IN-8 access flags and dates of others', who, 'select * from influencers where access_gigs_page is not null', outcome
from (values ('visitor', '0'), ('agency', '0'), ('verified', '1'), ('unapproved', '1'), ('admin', '5'), ('service', '5')) as cell (who, outcome);

-- Adding a profile.
insert into act
select 'IN-10 own', who, format('insert into influencers (user_id, name, username, category) values (%L, ''N'', ''n'', ''Tech'')', tests.id(who)), outcome
from (values ('new influencer', '1'), ('approved', '23505'), ('verified', '23505'), ('agency', '42501'), ('vendor', '42501'),
  ('admin', '42501'), ('superadmin', '42501'), ('visitor', '42501')) as cell (who, outcome);
insert into act
select 'IN-13 for another', who,
  format('insert into influencers (user_id, name, username, category) values (%L, ''N'', ''n'', ''Tech'')', tests.id('new influencer')), outcome
from (values ('unapproved', '42501'), ('agency', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('visitor', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'IN-11/12 with ' || preset, who,
  format('insert into influencers (user_id, name, username, category, %I) values (%L, ''N'', ''n'', ''Tech'', %L)', preset, tests.id('new influencer'), value), outcome
from (values ('approved', 'true'), ('verified', 'true'), ('badge_type', 'gold'), ('access_influencer_page', 'true'), ('access_agencies_page', 'false'),
  ('access_events_page', 'false'), ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01'),
  ('created_at', '2030-01-01'), ('id', '00000000-0000-4000-8000-00000000abcd')) as preset (preset, value)
cross join (values ('new influencer', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);

-- Editing.
insert into act
select 'IN-14/22 ' || owner || '''s ' || changed, who,
  format('update influencers set %I = %L where id = %L', changed, value, tests.id('profile of ' || owner)), outcome
from (values ('name', 'New'), ('bio', 'New'), ('website_link', 'https://new.example.test'), ('services', '[{"title": "Reel", "price": "RM 5"}]'),
  ('content_posts', '["https://pictures.example.test/1.jpg"]'), ('payment_info', '{"payment_method": "paypal"}'), ('date_of_birth', '2000-01-01')) as change (changed, value)
cross join (values ('verified', 'verified', '1'), ('unapproved', 'unapproved', '1'), ('other influencer', 'verified', '0'), ('other influencer', 'agency', '0'),
  ('other influencer', 'vendor', '0'), ('other unapproved', 'verified', '0'), ('verified', 'admin', '42501'), ('verified', 'superadmin', '42501'),
  ('verified', 'visitor', '42501'), ('verified', 'service', '1')) as cell (owner, who, outcome);
insert into act
select 'IN-15 to 19, 23, 25 ' || owner || '''s ' || changed, who,
  format('update influencers set %I = %L where id = %L', changed, value, tests.id('profile of ' || owner)), outcome
from (values ('approved', 'true'), ('badge_type', 'platinum'), ('access_influencer_page', 'false'), ('access_agencies_page', 'false'),
  ('access_events_page', 'false'), ('access_gigs_page', 'false'), ('subscription_start_date', '2026-01-01'), ('subscription_end_date', '2026-01-01')) as change (changed, value)
cross join (values ('unapproved', 'unapproved', '42501'), ('unapproved', 'verified', '0'), ('unapproved', 'agency', '0'), ('unapproved', 'admin', '1'),
  ('unapproved', 'superadmin', '1'), ('unapproved', 'service', '1'), ('unapproved', 'visitor', '42501')) as cell (owner, who, outcome);
insert into act
select 'IN-16 verified', who, format('update influencers set verified = true where id = %L', tests.id('profile of approved')), outcome
from (values ('approved', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'IN-20 ' || changed, who, format('update influencers set %I = %L where id = %L', changed, value, tests.id('profile of verified')), outcome
from (values ('id', '00000000-0000-4000-8000-00000000abcd'), ('user_id', tests.id('new influencer')::text), ('created_at', '2030-01-01')) as change (changed, value)
cross join (values ('verified', '42501'), ('agency', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'IN-24 un-approve', who, format('update influencers set approved = false where id = %L', tests.id('profile of verified')), outcome
from (values ('verified', '42501'), ('admin', '23514'), ('superadmin', '23514'), ('service', '1')) as cell (who, outcome);
insert into act
select 'IN-27 ' || wrong, who, format('update influencers set %s where id = %L', wrong, tests.id('profile of unapproved')), outcome
from (values ('badge_type = ''diamond'''), ('subscription_start_date = ''2026-02-01'', subscription_end_date = ''2026-01-01'''),
  ('subscription_end_date = ''9999-01-01''')) as change (wrong)
cross join (values ('unapproved', '42501'), ('admin', '23514'), ('service', '23514')) as cell (who, outcome);

-- Removing.
insert into act
select 'IN-28/29 delete', who, format('delete from influencers where id = %L', tests.id('profile of verified')), outcome
from (values ('visitor', '42501'), ('unapproved', '0'), ('verified', '0'), ('agency', '0'), ('vendor', '0'), ('admin', '1'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

-- What a refusal says, and what it leaves.
select is(tests.refusal('approved', 'update influencers set name = ''Mixed'', approved = false, badge_type = ''gold'' where user_id = auth.uid()'),
  'column "approved" can be changed by admins only', 'IN-21: the column is named');
select tests.become('unapproved');
select throws_ok('update influencers set name = ''Mixed'', approved = true where user_id = auth.uid()', '42501', null, 'IN-21: mixed body');
select tests.step_down();
select is(name, 'Unapproved', 'IN-21: nothing of it was written') from app.influencers where user_id = tests.id('unapproved');

-- Echoing the whole row is no attempt.
select tests.become('verified');
select lives_ok($$update influencers set name = 'Renamed', approved = true, badge_type = 'gold', verified = true, access_gigs_page = true,
  id = id, user_id = user_id, created_at = created_at where user_id = auth.uid()$$, 'unchanged values may be echoed');
select results_eq('select name, approved, payment_info ->> ''account_number'' from influencers where user_id = auth.uid()',
  $$values ('Renamed', true, '42')$$, 'MA-2: still approved after an edit');
select tests.step_down();

-- Privacy by name, not by convention.
select is(tests.reads('visitor', 'select count(payment_info)::text from influencers'), '0', 'IN-5: null to visitors');
select is(tests.reads('admin', 'select count(payment_info)::text from influencers'), '0', 'IN-5: null to admins');
select is(tests.reads('verified', 'select count(payment_info)::text from influencers'), '1', 'IN-4: the owner reads its own');
select is(tests.outcome('visitor', 'select * from app.influencer_private'), '0', 'and not at the table either');
select is(tests.outcome('admin', 'select * from app.influencer_private'), '0', 'nor as admin');
select is(tests.outcome('verified', 'update app.influencer_private set date_of_birth = null'), '1', 'one row is one''s own');
select is(tests.outcome('verified', 'update app.influencers set name = ''New'''), '1', 'of the profiles as well');
select is(tests.outcome('verified', format('insert into app.influencer_private (user_id) values (%L)', tests.id('new influencer'))), '42501', 'nor for another');
select is(tests.outcome('verified', 'update app.influencers set approved = true'), '42501', 'the mirror is granted to nobody');
select is(tests.outcome('verified', 'update app.influencer_moderation set approved = true'), '0', 'the moderation row is the admins''');
select is(tests.outcome('verified', format('insert into app.influencer_moderation (user_id) values (%L)', tests.id('new influencer'))), '42501', 'nobody adds one');

-- A new profile starts at the bottom; an approval shows at once.
select tests.become('new influencer');
select results_eq($$insert into influencers (name, username, category) values ('N', 'new.one', 'Tech')
  returning user_id, approved, verified, badge_type, access_gigs_page$$,
  format('values (%L::uuid, false, false, ''none'', true)', tests.id('new influencer')), 'IN-10: what it starts with');
select tests.become('admin');
select results_eq(format($$update influencers set approved = true, badge_type = 'blue' where user_id = %L returning approved, verified$$, tests.id('new influencer')),
  'values (true, true)', 'IN-23: approved by an admin');
select tests.become('visitor');
select is((select username from influencers where user_id = tests.id('new influencer')), 'new.one', 'IN-34: and now everybody sees it');

-- Taking a role away works at once.
select tests.step_down();
delete from app.user_roles where user_id in (tests.id('admin'), tests.id('verified'));
select is(tests.outcome('admin', format('update influencers set approved = true where user_id = %L', tests.id('unapproved'))), '0', 'UR-17: a removed admin');
select is(tests.outcome('verified', 'update influencers set name = ''x'' where user_id = auth.uid()'), '0', 'and an influencer without the role');

\ir ../finish.sql
