-- Reviews: who can write, read, reply and hide. Before publication, only the author can see a review.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

-- Two published reviews, of an influencer and of an agency, and an unpublished one by `approved`.
copy act (line) from stdin;
RE-1 read
  sql: select * from reviews
  request: GET reviews
  2: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  3: approved, service
RE-1 read the table
  sql: select * from app.reviews
  2: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  3: approved, service
RE-1 of a profile
  sql: select * from reviews where influencer_id = {profile of verified} and side = 'client'
  request: GET reviews?influencer_id=eq.{profile of verified}&side=eq.client&order=published_at.desc,id.desc
  1: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-1 of an agency
  sql: select * from reviews where agency_id = {profile of agency} and side = 'influencer'
  request: GET reviews?agency_id=eq.{profile of agency}&side=eq.influencer
  1: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  2: approved, service
RE-2 the waiting one
  sql: select * from reviews where collaboration_id = {half}
  request: GET reviews?collaboration_id=eq.{half}
  0: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  1: approved, service
RE-2 the waiting one by its rating
  sql: select * from reviews where rating = 2
  request: GET reviews?rating=eq.2
  0: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  1: approved, service
RE-2 counted
  sql: select * from reviews
  request: HEAD reviews ; Prefer: count=exact
  2: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  3: approved, service
RE-2 through collaborations
  sql: select collaborations.id from collaborations join reviews on collaboration_id = collaborations.id where collaborations.id = {half}
  request: GET collaborations?select=id,reviews!inner(rating)&id=eq.{half}
  42501/401: visitor
  0: unapproved, verified, agency, other agency, vendor, admin, superadmin
  1: approved, service
RE-2 through agencies
  sql: select agencies.id from agencies join reviews on agency_id = agencies.id where reviews.rating = 2
  request: GET agencies?select=id,reviews!inner(rating)&reviews.rating=eq.2
  0: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  1: approved, service
RE-2 through profiles
  sql: select influencers.id from influencers join reviews on influencer_id = influencers.id where reviews.rating = 2
  request: GET influencers?select=id,reviews!inner(rating)&reviews.rating=eq.2
  0: visitor, unapproved, verified, agency, other agency, vendor, admin, superadmin
  1: approved, service
RE-3 write
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 5, 'They answered at once.')
  request: POST reviews
  body: {"collaboration_id": "{done}", "rating": 5, "text": "They answered at once."}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved, agency
RE-3 whether paid on time
  sql: insert into reviews (collaboration_id, rating, text, paid_on_time) values ({done}, 1, 'They never answered me.', false)
  request: POST reviews
  body: {"collaboration_id": "{done}", "rating": 1, "text": "They never answered me.", "paid_on_time": false}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved
  23514: agency
RE-3 before the end
  sql: insert into reviews (collaboration_id, rating, text) values ({work}, 5, 'They answered at once.')
  request: POST reviews
  body: {"collaboration_id": "{work}", "rating": 5, "text": "They answered at once."}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  PT409/409: approved, agency
RE-3 twice
  sql: insert into reviews (collaboration_id, rating, text) values ({reviewed}, 5, 'They answered at once.')
  request: POST reviews
  body: {"collaboration_id": "{reviewed}", "rating": 5, "text": "They answered at once."}
  42501: visitor, service
  PT404/404: unapproved, approved, other agency, vendor, admin, superadmin
  PT409/409: verified, agency
RE-3 for the other side
  sql: insert into reviews (collaboration_id, side, rating, text) values ({done}, 'client', 5, 'They answered at once.')
  request: POST reviews
  body: {"collaboration_id": "{done}", "side": "client", "rating": 5, "text": "They answered at once."}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-3 already published
  sql: insert into reviews (collaboration_id, rating, text, published_at) values ({done}, 5, 'They answered at once.', now())
  request: POST reviews
  body: {"collaboration_id": "{done}", "rating": 5, "text": "They answered at once.", "published_at": "2026-01-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-3 as somebody else
  sql: insert into app.reviews (collaboration_id, author_id, rating, text) values ({done}, {vendor}, 5, 'They answered at once.')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-3 a missing collaboration
  sql: insert into reviews (collaboration_id, rating, text) values ({nobody}, 5, 'They answered at once.')
  request: POST reviews
  body: {"collaboration_id": "{nobody}", "rating": 5, "text": "They answered at once."}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
RE-4 edit
  sql: update reviews set rating = 5 where id = {review of agency}
  request: PATCH reviews?id=eq.{review of agency}
  body: {"rating": 5}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-4 edit the table
  sql: update app.reviews set text = 'They are the best of all.'
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-5 delete
  sql: delete from reviews where id = {review of agency}
  request: DELETE reviews?id=eq.{review of agency}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
RE-6 reply of the influencer
  sql: with done as (select reply_to_review({review of influencer}, 'Thank you!')) select * from done
  request: POST rpc/reply_to_review
  body: {"review_id": "{review of influencer}", "text": "Thank you!"}
  42501: visitor, service
  PT404/404: unapproved, approved, agency, other agency, vendor, admin, superadmin
  1/204: verified
RE-6 reply of the agency
  sql: with done as (select reply_to_review({review of agency}, 'Thank you!')) select * from done
  request: POST rpc/reply_to_review
  body: {"review_id": "{review of agency}", "text": "Thank you!"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, vendor, admin, superadmin
  1/204: agency
RE-6 reply to the waiting one
  sql: select reply_to_review({waiting review}, 'Thank you!')
  request: POST rpc/reply_to_review
  body: {"review_id": "{waiting review}", "text": "Thank you!"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
RE-6 an empty reply
  sql: select reply_to_review({review of agency}, ' ')
  request: POST rpc/reply_to_review
  body: {"review_id": "{review of agency}", "text": " "}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, vendor, admin, superadmin
  23514: agency
RE-7 hide
  sql: with done as (select hide_review({review of agency}, 'Insults')) select * from done
  request: POST rpc/hide_review
  body: {"review_id": "{review of agency}", "reason": "Insults"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, service
  1/204: admin, superadmin
RE-7 hide without a reason
  sql: select hide_review({review of agency}, ' ')
  request: POST rpc/hide_review
  body: {"review_id": "{review of agency}", "reason": " "}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, service
  23514: admin, superadmin
RE-7 hide the waiting one
  sql: select hide_review({waiting review}, 'Insults')
  request: POST rpc/hide_review
  body: {"review_id": "{waiting review}", "reason": "Insults"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, service
  PT404/404: admin, superadmin
RE-8 publish
  sql: select app.publish_reviews({half})
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-8 the parts of a rating
  sql: select rating_sum from app.influencers where id = {profile of verified}
  1: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-8 set a rating
  sql: update influencers set review_count = 9 where id = {profile of verified}
  request: PATCH influencers?id=eq.{profile of verified}
  body: {"review_count": 9}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
RE-8 set an agency's rating
  sql: update agencies set rating = 5 where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"rating": 5}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Limits of the text and the rating.
copy act (line) from stdin;
RE-9 a text of 20
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 5, repeat('x', 20))
  1: agency
RE-9 a text of 19
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 5, rpad(repeat('x', 19), 25))
  23514: agency
RE-9 a text of 1000
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 5, repeat('x', 1000))
  1: agency
RE-9 a text of 1001
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 5, repeat('x', 1001))
  23514: agency
RE-9 one star
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 1, repeat('x', 20))
  1: agency
RE-9 no star
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 0, repeat('x', 20))
  23514: agency
RE-9 six stars
  sql: insert into reviews (collaboration_id, rating, text) values ({done}, 6, repeat('x', 20))
  23514: agency
RE-9 no text
  sql: insert into reviews (collaboration_id, rating) values ({done}, 5)
  23502: agency
RE-9 a reply of 1000
  sql: with done as (select reply_to_review({review of agency}, repeat('x', 1000))) select * from done
  1: agency
RE-9 a reply of 1001
  sql: select reply_to_review({review of agency}, repeat('x', 1001))
  23514: agency
\.
select tests.cell(id, person, sql, wanted) from cell where id like 'RE-9%' order by position, turn;

create function pg_temp.call(person text, statement text) returns text language plpgsql as $$
begin
  perform tests.become(person);
  execute statement;
  perform tests.step_down();
  return 'done';
exception when others then
  perform tests.step_down();
  return sqlerrm;
end $$;
create function pg_temp.write(person text, name text, rating integer default 5) returns text language sql as $$
  select pg_temp.call(person, format('insert into reviews (collaboration_id, rating, text) values (%L, %s, ''It was good to work together.'')', tests.id(name), rating))
$$;
create function pg_temp.published(name text) returns integer language sql as $$
  select count(*)::integer from app.reviews where collaboration_id = tests.id(name) and published_at is not null
$$;
create function pg_temp.score(person text) returns text language sql as $$
  select concat_ws(' ', review_count, rating_sum, rating) from (
    select id, review_count, rating_sum, rating from app.influencers union all select id, review_count, rating_sum, rating from app.agencies) as profile
  where id = tests.id('profile of ' || person)
$$;

-- Reviews are published when both sides have written. Until then, the other side can't see them.
select is(pg_temp.write('approved', 'done', 4), 'done', 'RE-10 one side');
select is(pg_temp.published('done'), 0, 'RE-10 waits');
select is(pg_temp.score('agency'), '1 4', 'RE-10 and is not counted');
select is((select count(*)::integer from app.notices), 0, 'RE-10 nobody is told');
select is(pg_temp.write('approved', 'done'), 'The collaboration is completed, and you have already reviewed it', 'RE-10 not twice');
select is(pg_temp.write('agency', 'done', 3), 'done', 'RE-10 the other side');
select is(pg_temp.published('done'), 2, 'RE-10 both are published');
select is(pg_temp.score('approved'), '1 3', 'RE-10 one review is no average');
select is((select array_agg(concat_ws(' ', split_part(email, '@', 1), kind, data ->> 'name', data ->> 'path') order by email) from app.notices join app.profiles on profiles.id = user_id),
  array['agency review_published Approved /agency/' || tests.id('profile of agency'), 'approved review_published Agency /profile/' || tests.id('profile of approved') || '?tab=review'],
  'RE-10 both are told');

-- Otherwise they are published after 14 days.
create function pg_temp.age(name text, period interval) returns void language sql as $$
  update app.collaborations set created_at = created_at - period, completed_at = completed_at - period where id = tests.id(name);
  update app.reviews set publish_at = publish_at - period where collaboration_id = tests.id(name)
$$;
select pg_temp.age('half', '12 days 23:59:59') \g /dev/null
select is(app.tick(), '{}'::text[], 'RE-11 the schedule runs');
select is(pg_temp.published('half'), 0, 'RE-11 not before 14 days');
select pg_temp.age('half', '1 second') \g /dev/null
select is(app.tick(), '{}'::text[], 'RE-11 the schedule runs again');
select is(pg_temp.published('half'), 1, 'RE-11 after 14 days');
select is(pg_temp.write('agency', 'half'), 'The collaboration is completed, and the 14 days to review it are over', 'RE-11 nobody writes any more');

-- Profiles have an average rating from three authors on. Only an author's newest review of a profile counts.
select is(pg_temp.score('agency'), '2 6', 'RE-12 two authors, and the newest review of one with two');
select tests.influencer('third', true, 'none'), tests.collaboration('third work', 'third', 'agency', 'completed') \g /dev/null
select is(pg_temp.write('third', 'third work', 5), 'done', 'RE-12 a third author');
select is(pg_temp.write('agency', 'third work', 5), 'done', 'RE-12 and the agency');
select is(pg_temp.score('agency'), '3 11 3.67', 'RE-12 an average of three');
select is(tests.reads('visitor', format('select rating || '' '' || review_count from agencies where id = %L', tests.id('profile of agency'))), '3.67 3', 'RE-12 is public');
select tests.collaboration('again', 'third', 'agency', 'completed') \g /dev/null
select is(pg_temp.write('third', 'again', 1), 'done', 'RE-12 the third author again');
select is(pg_temp.write('agency', 'again', 4), 'done', 'RE-12 and the agency again');
select is(pg_temp.score('agency'), '3 7 2.33', 'RE-12 counts once, with the newest review');
select is(pg_temp.score('third'), '1 4', 'RE-12 also for the influencer');

-- Hidden reviews don't count. The author's previous one counts again.
create function pg_temp.hide(name text, side text) returns text language sql as $$
  select pg_temp.call('admin', format('select hide_review(%L, ''Insults'')', id)) from app.reviews
  where collaboration_id = tests.id(name) and reviews.side = hide.side
$$;
select is(pg_temp.hide('again', 'influencer'), 'done', 'RE-13 an admin hides one');
select is(pg_temp.score('agency'), '3 11 3.67', 'RE-13 the earlier one counts again');
select is(pg_temp.hide('again', 'influencer'), 'The review is already hidden', 'RE-13 once');
select is(pg_temp.hide('third work', 'influencer'), 'done', 'RE-13 the earlier one, too');
select is(pg_temp.score('agency'), '2 6', 'RE-13 two authors are left');
select results_eq($$select actor::text, action::text, subject_type, subject::text, details ->> 'reason' from app.audit_log where subject_type = 'review' order by id$$,
  $$values ('admin@example.test', 'hide_review', 'review', 'Agency', 'Insults'), ('admin@example.test', 'hide_review', 'review', 'Agency', 'Insults')$$, 'RE-13 the audit log has it');
select is((select count(*)::integer from app.notices where user_id = tests.id('third') and kind = 'content_moderated'), 2, 'RE-13 the author is told');
create function pg_temp.sees(person text) returns integer language sql as $$
  select tests.reads(person, format('select count(*) from reviews where collaboration_id = %L and side = ''influencer''', tests.id('again')))::integer
$$;
select is(pg_temp.sees(person), seen, 'RE-13 a hidden one, as ' || person)
from (values ('visitor', 0), ('agency', 0), ('verified', 0), ('third', 1), ('admin', 1), ('superadmin', 1)) as reader (person, seen);
select is(pg_temp.call('agency', format('select reply_to_review(id, ''No!'') from reviews where collaboration_id = %L', tests.id('half'))), 'done', 'RE-13 a reply to a published one');
select is(pg_temp.call('agency', format('select reply_to_review(%L, ''No!'')', id)), 'This review doesn''t exist, or you have not received it', 'RE-13 no reply to a hidden one')
from app.reviews where hidden_at is not null;

-- One reply, within 28 days.
create function pg_temp.reply(text text, name text default 'review of influencer') returns text language sql as $$
  select pg_temp.call('verified', format('select reply_to_review(%L, %L)', tests.id(name), text))
$$;
update app.reviews set published_at = now() - interval '28 days' where id = tests.id('review of influencer');
select is(pg_temp.reply('Thank you!'), 'The review was published more than 28 days ago, so you can''t reply to it any more', 'RE-14 after 28 days');
update app.reviews set published_at = now() - interval '28 days -1 second' where id = tests.id('review of influencer');
select is(pg_temp.reply('Thank you!'), 'done', 'RE-14 within 28 days');
select is(pg_temp.reply('Thank you!'), 'done', 'RE-14 again the same');
select is(pg_temp.reply('Thanks!'), 'You have already replied to this review', 'RE-14 another one');
select is(tests.reads('visitor', format('select reply from reviews where id = %L', tests.id('review of influencer'))), 'Thank you!', 'RE-14 is public');
select is((select data ->> 'name' from app.notices where user_id = tests.id('agency') and kind = 'review_replied'), 'Verified', 'RE-14 the author is told');

-- A user can't review their own profile from a second account with the same mailbox, however the address is spelled.
select tests.collaboration('own', 'verified', 'agency', 'completed') \g /dev/null
select set_config('session_replication_role', 'replica', true) \g /dev/null
update app.profiles set email = 'agency+own@example.test' where id = tests.id('verified');
select set_config('session_replication_role', 'origin', true) \g /dev/null
select is(pg_temp.write(person, 'own'), 'You can''t review yourself', 'RE-15 as ' || person) from unnest('{agency,verified}'::text[]) as person;

-- Reviews of a deleted profile remain in their author's history only. Those that its owner wrote remain, without an author.
select tests.collaboration('gone', 'other influencer', 'other agency', 'completed') \g /dev/null
select tests.review('by the agency', 'gone', 'client', 5), tests.review('by the influencer', 'gone', 'influencer', 5) \g /dev/null
select is(pg_temp.score('other agency'), '1 5', 'RE-16 before');
delete from auth.users where id = tests.id('other influencer');
select is((select array_agg(side || coalesce(author_id::text, ' nobody') order by side) from app.reviews where collaboration_id = tests.id('gone')), array['client' || tests.id('other agency'), 'influencer nobody'], 'RE-16 both stay');
select is(tests.reads(who, format('select count(*) from reviews where id = %L', tests.id('by the agency'))), seen, 'RE-16 the received one, for ' || who) from (values ('other agency', '1'), ('agency', '0'), ('visitor', '0')) as readers (who, seen);
select is(pg_temp.score('other agency'), '1 5', 'RE-16 and counts');
select tests.collaboration('later', 'third', 'other agency', 'completed') \g /dev/null
delete from auth.users where id = tests.id('third');
select is(pg_temp.write('other agency', 'later'), 'The collaboration is completed, and the other side no longer has an account', 'RE-16 no review of nobody');
delete from app.reviews where id = tests.id('by the influencer');
select is(pg_temp.score('other agency'), '0 0', 'RE-16 a deleted review does not count');

-- The constraints also apply to superusers.
select throws_ok(format('update app.reviews set %s where id = %L', change, tests.id('review of influencer')), sqlstate, null, 'RE-17 not ' || change)
from (values ('side = ''admin''', '23514'), ('paid_on_time = true', '23514'), ('reply = null', '23514'), ('hidden_at = now()', '23514'), ('published_at = null', '23514'),
  ('published_at = null, counted = false', '23514'), ('published_at = null, counted = false, reply = null, replied_at = null, hidden_at = now()', '23514'), ('publish_at = null', '23502'), ('author_key = null', '23502')) as changes (change, sqlstate);
select throws_ok(format('insert into app.reviews (collaboration_id, influencer_id, side, author_key, rating, text, publish_at, published_at, counted)
  values (%L, %L, ''client'', %L, 5, repeat(''x'', 20), now(), now(), true)', tests.id('own'), tests.id('profile of verified'), tests.id('agency')), '23505', null, 'RE-17 an author counts once');
select throws_ok(format('update app.%I set rating_sum = %s where review_count = %s', kind, total, number), '23514', null, 'RE-17 no sum of ' || total || ' for ' || kind)
from (values ('influencers', 1, 0), ('influencers', 0, 1), ('influencers', 6, 1), ('agencies', 1, 0), ('agencies', 1, 2), ('agencies', 11, 2)) as sums (kind, total, number);

\ir ../finish.sql
