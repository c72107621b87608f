-- Accounts whose address is not proved send, apply, review and report nothing. Ratings count work that lasted a day.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  update auth.users set email_unproved = true where id in (tests.id('agency'), tests.id('verified'));
end $$;
select is(app.is_proved(tests.id(person)), proved, 'PR-1 ' || person)
from (values ('agency', false), ('vendor', true), ('nobody', false)) as accounts (person, proved);
update auth.users set email_confirmed_at = null where id = tests.id('new vendor');
select is(app.is_proved(tests.id('new vendor')), false, 'PR-1 never confirmed');

select is(tests.reads(person, 'select address_proved()'), proved, 'PR-1 asks for itself: ' || person)
from (values ('agency', 'false'), ('vendor', 'true')) as accounts (person, proved);
select is(tests.outcome(person, act), 'PT403', format('PR-2 %s: %s', person, act)) from (values
  ('verified', format('insert into gig_applications (gig_id, pitch) values (%L, ''I would love to host this festival.'')', tests.id('gig of other agency'))),
  ('agency', format('insert into reviews (collaboration_id, rating, text) values (%L, 5, ''It was good to work together.'')', tests.id('done'))),
  ('agency', format('insert into reports (kind, subject_id, reason) values (''vendor'', %L, ''spam'')', tests.id('profile of vendor')))) as acts (person, act);
select is(tests.refusal('agency', format('insert into reports (kind, subject_id, reason) values (''vendor'', %L, ''spam'')', tests.id('profile of vendor'))),
  'Confirm your e-mail address to report anything', 'PR-2 the message');
select is(public.send_enquiries(tests.id('agency'), '203.0.113.9', array[tests.id('profile of verified')], 'A reel', 'Would you show our new menu?') -> 'enquiries' -> 0 ->> 'state',
  'unconfirmed', 'PR-2 an enquiry waits for the proof');
select is(tests.outcome(person, act), '1', format('PR-3 allowed, %s: %s', person, act)) from (values
  ('agency', format('insert into gigs (agency_id, title, description) values (%L, ''T'', ''D'')', tests.id('profile of agency'))),
  ('agency', 'update agencies set description = ''D'' where user_id = auth.uid()'),
  ('verified', format('select answer_enquiry(%L, true)', tests.id('enquiry of other agency'))),
  ('agency', format('select cancel_collaboration(%L, ''No time'')', tests.id('work')))) as acts (person, act);

-- Work of less than a day. The reviews are published, but no average changes.
create function pg_temp.write(person text, name text) returns void language plpgsql as $$
begin
  perform tests.become(person);
  insert into public.reviews (collaboration_id, rating, text) values (tests.id(name), 5, 'It was good to work together.');
  perform tests.step_down();
end $$;
create function pg_temp.score() returns text language sql as $$
  select concat_ws(' ', review_count, rating_sum) from app.influencers where id = tests.id('profile of approved')
$$;
update auth.users set email_unproved = false;
select tests.collaboration('short', 'approved', 'other agency', 'completed'), tests.collaboration('long', 'approved', 'other agency', 'completed') \g /dev/null
update app.collaborations set created_at = completed_at - interval '23:59:59' where id = tests.id('short');
update app.collaborations set created_at = completed_at - interval '1 day' where id = tests.id('long');
select is(pg_temp.score(), '0 0', 'PR-4 nothing counts yet');
select pg_temp.write('other agency', 'short'), pg_temp.write('approved', 'short') \g /dev/null
select is((select count(*) from app.reviews where collaboration_id = tests.id('short') and published_at is not null and not counted), 2::bigint, 'PR-4 published');
select is(pg_temp.score(), '0 0', 'PR-4 and not counted');
select pg_temp.write('other agency', 'long'), pg_temp.write('approved', 'long') \g /dev/null
select is(pg_temp.score(), '1 5', 'PR-4 work of a day counts');
update app.reviews set published_at = now() + interval '1 second' where collaboration_id = tests.id('short');
select is(app.review_counts(reviews), false, 'PR-5 nor later, when another one is hidden') from app.reviews where collaboration_id = tests.id('short') and side = 'client';
update auth.users set email_unproved = true where id = tests.id('other agency');
select is(app.review_counts(reviews), false, 'PR-5 nor an author whose address is not proved') from app.reviews where collaboration_id = tests.id('long') and side = 'client';
update app.reviews set author_id = null where collaboration_id = tests.id('long') and side = 'client';
select is(app.review_counts(reviews), true, 'PR-5 a former member''s stays') from app.reviews where collaboration_id = tests.id('long') and side = 'client';
\ir ../finish.sql
