-- Collaborations: both sides can read, complete and cancel them.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

-- The agency has four collaborations with two influencers; 'work' is accepted. A guest has a fifth one.
copy act (line) from stdin;
CO-1 read
  sql: select * from collaborations
  request: GET collaborations
  42501: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3: approved
  1: verified
  4: agency
  5: service
CO-1 read the table
  sql: select * from app.collaborations
  42501: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3: approved
  1: verified
  4: agency
  5: service
CO-1 one
  sql: select * from collaborations where id = {work}
  request: GET collaborations?id=eq.{work}
  42501: visitor
  0: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved, agency, service
CO-1 counted
  sql: select * from collaborations
  request: HEAD collaborations ; Prefer: count=exact
  42501: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3: approved
  1: verified
  4: agency
  5: service
CO-1 through profiles
  sql: select influencers.id from influencers join collaborations on influencer_id = influencers.id
  request: GET influencers?select=id,collaborations!inner(title)
  42501/401: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3/1: approved
  1: verified
  4/2: agency
  5/3: service
CO-1 addresses of both
  sql: select * from collaborations where influencer_email is not null and client_email is not null
  request: GET collaborations?influencer_email=not.is.null&client_email=not.is.null
  42501: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3: approved
  1: verified
  4: agency, service
CO-1 names of both
  sql: select * from collaborations where influencer_name is not null and client_name is not null
  request: GET collaborations?influencer_name=not.is.null&client_name=not.is.null
  42501: visitor
  0: unapproved, other agency, vendor, admin, superadmin
  3: approved
  1: verified
  4: agency
  5: service
CO-2 add
  sql: insert into collaborations (source, title, influencer_id, client_user_id) values ('enquiry', 'New', {profile of approved}, {agency})
  request: POST collaborations
  body: {"source": "enquiry", "title": "New", "influencer_id": "{profile of approved}", "client_user_id": "{agency}"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
CO-3 change the state
  sql: update collaborations set state = 'cancelled', cancelled_at = now(), cancelled_by = 'client', reason = 'x' where id = {work}
  request: PATCH collaborations?id=eq.{work}
  body: {"state": "cancelled", "cancelled_at": "2026-01-01", "cancelled_by": "client", "reason": "x"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
CO-4 delete
  sql: delete from collaborations where id = {work}
  request: DELETE collaborations?id=eq.{work}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
CO-5 complete
  sql: with done as (select complete_collaboration({work})) select * from done
  request: POST rpc/complete_collaboration
  body: {"collaboration_id": "{work}"}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  1/200: approved, agency
CO-5 a missing one
  sql: select complete_collaboration({nobody})
  request: POST rpc/complete_collaboration
  body: {"collaboration_id": "{nobody}"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
CO-6 cancel
  sql: with done as (select cancel_collaboration({work}, 'No time')) select * from done
  request: POST rpc/cancel_collaboration
  body: {"collaboration_id": "{work}", "reason": "No time"}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  1/200: approved, agency
CO-6 cancel a completed one
  sql: select cancel_collaboration({done}, 'No time')
  request: POST rpc/cancel_collaboration
  body: {"collaboration_id": "{done}", "reason": "No time"}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  PT409/409: approved, agency
CO-6 without a reason
  sql: select cancel_collaboration({work}, ' ')
  request: POST rpc/cancel_collaboration
  body: {"collaboration_id": "{work}", "reason": " "}
  42501: visitor, service
  PT404/404: unapproved, verified, other agency, vendor, admin, superadmin
  23514: approved, agency
CO-6 a reason of 500
  sql: with done as (select cancel_collaboration({work}, repeat('x', 500))) select * from done
  42501: visitor, service
  PT404: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved, agency
CO-6 a reason of 501
  sql: select cancel_collaboration({work}, repeat('x', 501))
  42501: visitor, service
  PT404: unapproved, verified, other agency, vendor, admin, superadmin
  23514: approved, agency
CO-7 complete for a side
  sql: select app.complete_side({work}, 'client')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
CO-7 cancel for a side
  sql: select app.cancel_side({work}, 'admin', 'x')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
CO-7 look up a party
  sql: select app.party_address({work}, 'client')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
CO-7 let time pass
  sql: select app.tick_collaborations()
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

-- Both sides see names and addresses. Others get none, even if they call the view's function directly.
select results_eq($$select tests.reads('agency', format('select influencer_name || '' '' || influencer_email || '' '' || client_name || '' '' || client_email || '' '' || side from collaborations where id = %L', tests.id('work')))$$,
  array['Approved approved@example.test Agency agency@example.test client'], 'CO-8 what the agency sees');
select is(tests.reads('approved', format('select side from collaborations where id = %L', tests.id('work'))), 'influencer', 'CO-8 the side of the influencer');
select is(tests.reads(person, format('select concat(app.shown_name(%1$L, ''client''), app.shown_address(%1$L, ''client''))', tests.id('work'))), '',
  'CO-8 nothing for strangers, as ' || person) from unnest('{unapproved,verified,other agency,vendor,admin,superadmin}'::text[]) as person;

create function pg_temp.call(person text, statement text) returns text language plpgsql as $$
declare
  answer text;
begin
  perform tests.become(person);
  execute statement into answer;
  perform tests.step_down();
  return answer;
exception when others then
  perform tests.step_down();
  return sqlerrm;
end $$;
create function pg_temp.complete(person text, name text default 'work') returns text language sql as $$
  select pg_temp.call(person, format('select complete_collaboration(%L)', tests.id(name)))
$$;
create function pg_temp.cancel(person text, name text default 'work') returns text language sql as $$
  select pg_temp.call(person, format('select cancel_collaboration(%L, ''No time'')', tests.id(name)))
$$;
create function pg_temp.told(name text) returns text[] language sql as $$
  select array_agg(concat_ws(' ', split_part(email, '@', 1), kind, data ->> 'name', data ->> 'title', data ->> 'state', data ->> 'path') order by kind, email)
  from app.notices join app.profiles on profiles.id = user_id where subject_id = tests.id(name)
$$;

-- Both sides complete. Repeating a call changes nothing.
select is(pg_temp.complete('approved'), 'accepted', 'CO-9 one side');
select is(pg_temp.told('work'), '{"agency collaboration_completed Approved Work accepted /collaborations"}', 'CO-9 the other side is told');
select is(pg_temp.complete('approved'), 'accepted', 'CO-9 again');
select is(pg_temp.complete('agency'), 'completed', 'CO-9 both sides');
select is(pg_temp.complete('agency'), 'completed', 'CO-9 both, again');
select ok(completed_at is not null and state = 'completed', 'CO-9 the row') from app.collaborations where id = tests.id('work');
select is(pg_temp.told('work'), array['agency collaboration_completed Approved Work accepted /collaborations',
  'agency review_invited Approved Work completed /review/' || tests.id('work'), 'approved review_invited Agency Work completed /review/' || tests.id('work')], 'CO-9 both are invited to review');
select is((select count(*)::integer from serasi.mail_outbox where data ->> 'subject_id' = tests.id('work')::text), 3, 'CO-9 and by mail');
select is(pg_temp.cancel('agency'), 'The collaboration is completed', 'CO-9 too late to cancel');

-- Cancelling.
select tests.collaboration('called off', 'approved', 'agency', 'accepted') \g /dev/null
select is(pg_temp.complete('approved', 'called off'), 'accepted', 'CO-10 one side completes');
select is(pg_temp.cancel('agency', 'called off'), 'cancelled', 'CO-10 the other one cancels');
select is(pg_temp.cancel('agency', 'called off'), 'cancelled', 'CO-10 again');
select is(pg_temp.cancel('approved', 'called off'), 'The collaboration is cancelled', 'CO-10 the other side, too');
select is(pg_temp.complete('approved', 'called off'), 'The collaboration is cancelled', 'CO-10 completing it');
select is((select concat_ws(' ', state, cancelled_by, reason) from app.collaborations where id = tests.id('called off')), 'cancelled client No time', 'CO-10 the row');
select is((pg_temp.told('called off'))[1], 'approved collaboration_cancelled Agency Called Off cancelled /collaborations', 'CO-10 the other side is told');
select tests.collaboration('closed', 'approved', 'agency', 'accepted') \g /dev/null
select is(app.cancel_side(tests.id('closed'), 'admin', 'Fraud'), 'cancelled', 'CO-10 the trust desk cancels');
select is(pg_temp.told('closed'), '{"agency collaboration_cancelled Approved Closed cancelled /collaborations","approved collaboration_cancelled Agency Closed cancelled /collaborations"}',
  'CO-10 both sides are told');

-- If one side completes, the collaboration is completed after seven days.
create function pg_temp.silence(name text, period interval) returns text language plpgsql as $$
begin
  update app.collaborations set influencer_completed_at = now() - period where id = tests.id(name);
  perform app.tick();
  return (select state from app.collaborations where id = tests.id(name));
end $$;
select tests.collaboration('silent', 'approved', 'agency', 'accepted') \g /dev/null
select tests.collaboration('untouched', 'approved', 'agency', 'accepted') \g /dev/null
select is(pg_temp.silence('silent', '7 days -1 second'), 'accepted', 'CO-11 not before 7 days');
select is(pg_temp.silence('silent', '7 days'), 'completed', 'CO-11 after 7 days');
select is(cardinality(pg_temp.told('silent')), 2, 'CO-11 both are invited to review');
select is((select state from app.collaborations where id = tests.id('untouched')), 'accepted', 'CO-11 not without a side');

-- Deleting a party cancels open collaborations. Completed ones remain, without its name.
select tests.collaboration('left', 'other influencer', 'other agency', 'accepted'), tests.collaboration('kept', 'other influencer', 'other agency', 'completed') \g /dev/null
delete from app.influencers where id = tests.id('profile of other influencer');
select is(tests.reads('other agency', format('select concat_ws('' '', state, cancelled_by, influencer_name, influencer_email, client_name) from collaborations where id = %L', tests.id('left'))),
  'cancelled deletion Other Agency', 'CO-12 a deleted profile');
select is(tests.reads('other agency', format('select concat_ws('' '', state, influencer_name, client_name) from collaborations where id = %L', tests.id('kept'))),
  'completed Other Agency', 'CO-12 what was completed stays');
select is(pg_temp.told('left'), '{"other.agency collaboration_cancelled Left cancelled /collaborations"}', 'CO-12 who is left is told');
select tests.collaboration('lost', 'approved', 'other agency', 'accepted') \g /dev/null
delete from auth.users where id = tests.id('other agency');
select is(tests.reads('approved', format('select concat_ws('' '', state, cancelled_by, influencer_name, client_name, client_email) from collaborations where id = %L', tests.id('lost'))),
  'cancelled deletion Approved', 'CO-12 a deleted account');
select is(pg_temp.told('lost'), '{"approved collaboration_cancelled Removed cancelled /collaborations"}', 'CO-12 the influencer is told');
select is((select count(*)::integer from app.collaborations where guest_name is not null and id <> tests.id('guest work')), 0, 'CO-12 no name is left');

-- Names of clients: a vendor, another influencer, an agency, and an account without a profile.
create function pg_temp.client_name(person text) returns text language plpgsql as $$
declare
  opened constant uuid := app.open_collaboration('enquiry', 'A reel', tests.id('profile of approved'), tests.id(person), null, 'Given Name');
begin
  return app.party_name(opened, 'client');
end $$;
select is(pg_temp.client_name(person), name, 'CO-13 the name of ' || person)
from (values ('vendor', 'Vendor'), ('verified', 'Verified'), ('agency', 'Agency'), ('new agency', 'Given Name')) as clients (person, name);
delete from auth.users where id = tests.id('new agency');
select is((select array_agg(coalesce(guest_name, 'none') || ' ' || state order by guest_name) from app.collaborations where client_user_id is null and agency_id is null and source = 'enquiry' and id <> tests.id('guest work')),
  '{"none cancelled"}', 'CO-13 the given name goes with the account');

-- The constraints also apply to superusers.
select throws_ok(format('update app.collaborations set %s where id = %L', change, tests.id('untouched')), '23514', null, 'CO-14 not ' || change)
from unnest(array[$$state = 'completed'$$, $$state = 'completed', completed_at = now()$$, $$state = 'cancelled', cancelled_at = now(), reason = 'x'$$,
  $$state = 'cancelled', cancelled_at = now(), cancelled_by = 'client'$$, $$cancelled_by = 'client'$$, $$state = 'open'$$, $$source = 'phone'$$]) as change;

\ir ../finish.sql
