-- Guest clients act with the token from a mailed link.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

copy act (line) from stdin;
GR-1 read
  sql: select * from guest_collaboration('token of the reviewer')
  request: POST rpc/guest_collaboration
  body: {"token": "token of the reviewer"}
  1: visitor, unapproved, approved, agency, admin
  42501: service
GR-1 with another token
  sql: select * from guest_collaboration('token of nobody')
  request: POST rpc/guest_collaboration
  body: {"token": "token of nobody"}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
GR-1 with a token for an enquiry
  sql: select * from guest_collaboration('token of the guest')
  request: POST rpc/guest_collaboration
  body: {"token": "token of the guest"}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
GR-1 without a token
  sql: select * from guest_collaboration(null)
  request: POST rpc/guest_collaboration
  body: {"token": null}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
GR-2 complete
  sql: with done as (select complete_as_guest('token of the reviewer')) select * from done
  request: POST rpc/complete_as_guest
  body: {"token": "token of the reviewer"}
  1/200: visitor, unapproved, approved, agency, admin
  42501: service
GR-2 with another token
  sql: select complete_as_guest('token of nobody')
  request: POST rpc/complete_as_guest
  body: {"token": "token of nobody"}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
GR-3 cancel
  sql: with done as (select cancel_as_guest('token of the reviewer', 'Not done')) select * from done
  request: POST rpc/cancel_as_guest
  body: {"token": "token of the reviewer", "reason": "Not done"}
  1/200: visitor, unapproved, approved, agency, admin
  42501: service
GR-3 with another token
  sql: select cancel_as_guest('token of nobody', 'Not done')
  request: POST rpc/cancel_as_guest
  body: {"token": "token of nobody", "reason": "Not done"}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
GR-3 without a reason
  sql: select cancel_as_guest('token of the reviewer', '')
  request: POST rpc/cancel_as_guest
  body: {"token": "token of the reviewer", "reason": ""}
  23514/400: visitor, unapproved, approved, agency, admin
  42501: service
GR-4 review with another token
  sql: select review_as_guest('token of nobody', 5, 'It was good to work together.')
  request: POST rpc/review_as_guest
  body: {"token": "token of nobody", "rating": 5, "text": "It was good to work together."}
  PT404/404: visitor, unapproved, approved, agency, admin
  42501: service
\.
select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Adds an accepted enquiry by a guest, and its collaboration.
create function pg_temp.guest(name text, influencer text, address text) returns uuid language sql as $$
  insert into app.collaborations (id, source, title, influencer_id, guest_name, created_at)
  values (tests.id(name), 'enquiry', 'A reel', tests.id('profile of ' || influencer), 'Mei', now() - interval '1 day');
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('brief ' || name), name, address);
  insert into app.enquiries (brief_id, influencer_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, collaboration_id)
  values (tests.id('brief ' || name), tests.id('profile of ' || influencer), name, 'Mei', 'A reel', 'Would you show our new menu?', 'accepted', now(), now(), tests.id(name))
  returning collaboration_id
$$;
create function pg_temp.call(person text, statement text) returns text language plpgsql as $$
declare
  answer text;
begin
  perform tests.become(person);
  execute statement into answer;
  perform tests.step_down();
  return coalesce(nullif(answer, ''), 'done');
exception when others then
  perform tests.step_down();
  return sqlerrm;
end $$;
-- A value from the newest mail to an address.
create function pg_temp.mail(address text, key text) returns text language sql as $$
  select case key when 'template' then template when 'token' then split_part(data ->> 'path', '#token=', 2) else data ->> key end from serasi.mail_outbox where recipient = address order by ctid desc limit 1
$$;
create function pg_temp.write(token text, rating integer default 5) returns text language sql as $$
  select pg_temp.call('visitor', format('select review_as_guest(%L, %s, ''It was good to work together.'')', token, rating))
$$;

select pg_temp.guest('first', 'approved', 'mei@example.test') \g /dev/null
select is(pg_temp.call('approved', format('select complete_collaboration(%L)', tests.id('first'))), 'accepted', 'GR-5 the influencer completes');
select is(concat_ws(' ', pg_temp.mail('mei@example.test', 'template'), pg_temp.mail('mei@example.test', 'state'), pg_temp.mail('mei@example.test', 'name'), pg_temp.mail('mei@example.test', 'title')),
  'guest_review accepted Approved A reel', 'GR-5 the guest gets a link');
select pg_temp.mail('mei@example.test', 'token') as token \gset
select is(length(:'token'), 64, 'GR-5 with a token');
select is(split_part(pg_temp.mail('mei@example.test', 'path'), '#', 1), '/review/' || tests.id('first'), 'GR-5 to the collaboration');
select is(tests.reads('visitor', format('select concat_ws('' '', title, influencer_name, client_name, state, reviewed) from guest_collaboration(%L)', :'token')), 'A reel Approved Mei accepted f', 'GR-5 what the guest sees');
select is(tests.reads('approved', format('select client_name || '' '' || client_email from collaborations where id = %L', tests.id('first'))), 'Mei mei@example.test', 'GR-5 what the influencer sees');
select is(tests.reads('vendor', format('select app.shown_address(%L, ''client'')', tests.id('first'))), null, 'GR-5 and nobody else');

select is(pg_temp.write(:'token', 4), 'done', 'GR-6 the guest reviews');
select is(state, 'completed', 'GR-6 which completes it') from app.collaborations where id = tests.id('first');
select is((select count(*)::integer from serasi.mail_outbox where recipient = 'mei@example.test'), 1, 'GR-6 without another mail');
select is(pg_temp.write(:'token'), 'The collaboration is completed, and you have already reviewed it', 'GR-6 once');
select is(tests.reads('visitor', format('select reviewed from guest_collaboration(%L)', :'token')), 'true', 'GR-6 the guest sees that');
select is(tests.reads('approved', format('select count(*) from reviews where collaboration_id = %L', tests.id('first'))), '0', 'GR-6 the influencer does not yet');
select is(pg_temp.call('approved', format('insert into reviews (collaboration_id, rating, text, paid_on_time) values (%L, 5, ''They paid on the same day.'', true) returning ''done''', tests.id('first'))), 'done', 'GR-6 the influencer reviews');
select is((select string_agg(concat_ws(' ', side, rating, paid_on_time, published_at is not null), ', ' order by side) from app.reviews where collaboration_id = tests.id('first')),
  'client 4 t, influencer 5 t t', 'GR-6 both are published');
select is(tests.reads('visitor', format('select rating from reviews where influencer_id = %L and side = ''client''', tests.id('profile of approved'))), '4', 'GR-6 to everybody');
select is((select concat_ws(' ', review_count, rating_sum) from app.influencers where id = tests.id('profile of approved')), '1 4', 'GR-6 and counted');

-- Only one review per guest counts, however the address is spelled. A guest with an account's mailbox counts as the account.
select pg_temp.guest('second', 'approved', 'Mei+work@example.test') \g /dev/null
select pg_temp.guest('third', 'approved', 'Agency+x@example.test') \g /dev/null
create function pg_temp.reviewed(name text, rating integer) returns text language plpgsql as $$
begin
  perform app.complete_side(tests.id(name), 'influencer');
  perform pg_temp.write(app.new_guest_link('review', tests.id(name), '1 day'), rating);
  update app.reviews set publish_at = now() where collaboration_id = tests.id(name);
  perform app.tick_collaborations();
  return (select concat_ws(' ', review_count, rating_sum) from app.influencers where id = tests.id('profile of approved'));
end $$;
select is(pg_temp.reviewed('second', 2), '1 2', 'GR-7 the same guest again');
select is(pg_temp.reviewed('third', 5), '2 7', 'GR-7 a guest with the mailbox of an account');
select is((select author_key from app.reviews where collaboration_id = tests.id('third')), tests.id('agency')::text, 'GR-7 counts as that account');

-- Influencers can't review themselves as guests.
select pg_temp.guest('own', 'verified', 'verified+me@example.test') \g /dev/null
select app.complete_side(tests.id('own'), 'influencer') \g /dev/null
select is(pg_temp.write(pg_temp.mail('verified+me@example.test', 'token')), 'You can''t review yourself', 'GR-8 as the guest');

-- Guests can't review before the influencer has completed the collaboration, or after the link has expired.
select pg_temp.guest('early', 'verified', 'early@example.test') \g /dev/null
select app.new_guest_link('review', tests.id('early'), '1 day') as early \gset
select is(pg_temp.write(:'early'), 'The collaboration is accepted but not completed', 'GR-9 too early');
select is(client_completed_at, null, 'GR-9 nothing is half done') from app.collaborations where id = tests.id('early');
select app.new_guest_link('review', tests.id('early'), '-1 second') as expired \gset
select is(pg_temp.write(:'expired'), 'This link is invalid or has expired', 'GR-9 too late');

-- A guest who doesn't respond gets another link after seven days. If the influencer cancels, the guest gets a mail.
update app.collaborations set influencer_completed_at = now() - interval '7 days' where id = tests.id('early');
select app.tick() \g /dev/null
select is(concat_ws(' ', pg_temp.mail('early@example.test', 'template'), pg_temp.mail('early@example.test', 'state')), 'guest_review completed', 'GR-10 after 7 days');
select is(pg_temp.write(pg_temp.mail('early@example.test', 'token')), 'done', 'GR-10 the link works');
select pg_temp.guest('off', 'verified', 'off@example.test') \g /dev/null
select is(pg_temp.call('verified', format('select cancel_collaboration(%L, ''No time'')', tests.id('off'))), 'cancelled', 'GR-11 the influencer cancels');
select is(concat_ws(' ', pg_temp.mail('off@example.test', 'template'), pg_temp.mail('off@example.test', 'state'), pg_temp.mail('off@example.test', 'reason')), 'guest_collaboration_ended cancelled No time', 'GR-11 the guest is told');
select is(pg_temp.mail('off@example.test', 'path'), '/search/influencers', 'GR-11 with a page that needs no account');
delete from app.influencers where id = tests.id('profile of verified');
select is((select count(*)::integer from serasi.mail_outbox where recipient = 'early@example.test'), 1, 'GR-12 a deleted profile ends nothing that is completed');

\ir ../finish.sql
