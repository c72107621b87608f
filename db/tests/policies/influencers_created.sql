-- The columns of a new profile. influencers.sql tests who may create one.
\ir ../setup.sql
select tests.people() \gset

-- Private columns can be set in the same insert.
create function pg_temp.create_profile(person text, columns text, given text) returns void language plpgsql as $$
begin
  perform tests.become(person);
  execute format('insert into influencers (user_id, name, username, category, %s) values (%L, ''New'', ''new.one'', ''Travel'', %s)', columns, tests.id('new influencer'), given);
  perform tests.step_down();
end $$;

select pg_temp.create_profile('new influencer', 'bio', '''x''');
select is((select to_jsonb(decided) - 'user_id' - 'kind' from app.moderation as decided where user_id = tests.id('new influencer')),
  '{"approved": false, "badge_type": "none", "access_influencer_page": true, "access_agencies_page": true, "access_events_page": true, "access_gigs_page": true,
    "subscription_start_date": null, "subscription_end_date": null}'::jsonb, 'a new profile has default moderation values');
delete from app.influencers where user_id = tests.id('new influencer');
select pg_temp.create_profile('new influencer', 'payment_info, date_of_birth', $$'{"payment_method": "bank", "bank_name": "Bank Contoh"}', '2000-02-29'$$);
select is(tests.reads('new influencer', 'select payment_info ->> ''bank_name'' || '' '' || date_of_birth from influencers where user_id = auth.uid()'),
  'Bank Contoh 2000-02-29', 'IN-9: a new profile stores private columns');
select is(tests.reads('admin', format('select payment_info ->> ''bank_name'' from influencers where user_id = %L', tests.id('new influencer'))), null, 'IN-9: admins cannot read them');
delete from app.influencers where user_id = tests.id('new influencer');

-- `verified` is derived from the badge. It can only be sent together with a consistent badge.
select pg_temp.create_profile('service', 'verified, badge_type', 'true, ''gold''');
select is((select badge_type from public.influencers where username = 'new.one'), 'gold', 'a given badge is stored');
delete from app.influencers where user_id = tests.id('new influencer');
select is(tests.refusal('service', format('insert into influencers (user_id, name, username, category, verified, badge_type) values (%L, ''New'', ''new.one'', ''Travel'', %L, %L)',
    tests.id('new influencer'), verified, badge)), 'column "verified" can''t be set', format('verified: %s beside the badge %s', verified, badge))
from (values (true, null), (true, 'none'), (false, 'gold')) as said (verified, badge);
select pg_temp.create_profile('service', 'verified', 'false');
select is((select badge_type from public.influencers where username = 'new.one'), 'none', 'not verified means no badge');
select is(tests.refusal('service', 'update influencers set verified = true where username = ''new.one'''), 'column "verified" can''t be changed', 'verified alone');
select is(tests.refusal('service', 'update influencers set verified = true, name = ''Other'' where username = ''new.one'''), 'column "verified" can''t be changed', 'verified beside a name');
select is(tests.refusal('service', 'update influencers set verified = false, badge_type = ''blue'' where username = ''verified'''), 'column "verified" can''t be changed', 'not verified beside a badge');
select is(tests.outcome('service', 'update influencers set verified = true, badge_type = ''gold'' where username = ''new.one'''), '1', 'verified beside a new badge');
select is(tests.outcome('service', 'update influencers set verified = false, badge_type = ''none'' where username = ''verified'''), '1', 'not verified beside no badge');
select is(tests.refusal('admin', 'update influencers set verified = true, badge_type = ''gold'' where username = ''new.one'''), 'column "verified" can''t be changed', 'verified beside a badge, by an admin');
delete from app.influencers where user_id = tests.id('new influencer');

-- Only a taken username has its own error message. Other unique violations keep PostgreSQL's.
select is(tests.refusal('approved', $$insert into influencers (user_id, name, username, category) values (auth.uid(), 'New', 'new.one', 'Travel')$$),
  'duplicate key value violates unique constraint "influencers_user_id_key"', 'a second profile');
select is(tests.refusal('new influencer', $$insert into influencers (user_id, name, username, category) values (auth.uid(), 'New', 'APPROVED', 'Travel')$$),
  'This username is already taken', 'a taken username');
select is(tests.refusal('service', format('update influencers set user_id = %L where id = %L', tests.id('verified'), tests.id('profile of approved'))),
  'duplicate key value violates unique constraint "influencers_user_id_key"', 'a profile moved to an account that has one');

-- A decision affects only one profile.
select tests.become('admin') \gset
update influencers set approved = true, badge_type = 'gold' where id = tests.id('profile of unapproved');
select tests.step_down() \gset
select results_eq($$select name::text, approved, badge_type from app.influencers order by name$$,
  $$values ('Approved', true, 'none'), ('Other Influencer', true, 'none'), ('Other Unapproved', false, 'none'), ('Unapproved', true, 'gold'), ('Verified', true, 'gold')$$,
  'a decision about one profile leaves the others unchanged');

-- An update by the owner that changes nothing succeeds.
select is(tests.outcome('approved', 'update influencers set name = name where user_id = auth.uid()'), '1', 'an update that changes nothing');
select is(tests.outcome('approved', format('update influencers set name = name where user_id = %L', tests.id('verified'))), '0', 'only of the own profile');

\ir ../finish.sql
