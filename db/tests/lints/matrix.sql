-- Tests of the matrix itself: which outcomes it accepts and rejects.
\ir ../setup.sql
select tests.people() \gset

select is(passed, expected, name || ', got ' || got) from (values
  ('the right count', 'agency', 'select * from gigs', '1', true),
  ('a wrong count', 'agency', 'select * from gigs', '2', false),
  ('the right SQLSTATE', 'visitor', 'select * from gigs', '42501', true),
  ('another SQLSTATE', 'visitor', 'select * from gigs', '23514', false),
  ('a statement that should fail', 'agency', 'delete from gigs', '42501', false),
  ('a statement that should succeed', 'visitor', 'select * from gigs', '0', false),
  ('a write that changes a row', 'agency', 'update gigs set title = ''New''', '1', true),
  ('a write that changes nothing', 'agency', 'update gigs set title = title', '1', false),
  ('a changed row, although none was reported', 'service', 'do $$ begin update gigs set title = ''New''; end $$', '0', false),
  ('a change in another schema', 'auth service', 'do $$ begin update auth.users set phone = ''1''; end $$', '0', false)
) as example (name, person, act, wanted, expected)
cross join lateral tests.verdict(person, act, wanted);

-- TRUNCATE counts no rows.
grant truncate on app.newsletter_subscriptions to service_role;
select ok(changed and not passed, 'an emptied table is a change') from tests.verdict('service', 'truncate app.newsletter_subscriptions', '0');

select set_eq('select unnest(tests.tables())', $$select oid::regclass from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('app', 'serasi', 'auth', 'storage')$$,
  'the fingerprint covers every table');

copy act (line) from stdin;
X-1 nobody may
  sql: delete from gigs
  42501: visitor
  0: agency
X-2 the service may
  sql: delete from gigs
  42501: visitor
  0: agency
  2: service
X-3 nobody may this
  sql: update gigs set title = ''
  42501: visitor
  0: agency
  23514: service
X-3 nor is this an update
  sql: delete from gigs
  2: service
X-4 a rule about values
  sql: update gigs set title = ''
  42501: visitor
  23514: agency, service
X-4 and no other value
  sql: update gigs set title = 'New'
  2: service
X-5 a rule about values
  sql: update gigs set title = ''
  42501: visitor
  23514: agency, service
X-5 and other values
  sql: update gigs set title = 'New'
  1: agency
  2: service
\.
select results_eq('select id, refused from refusal_without_twin order by id', $$values ('X-1 nobody may', 'visitor, agency'),
  ('X-3 nobody may this', 'visitor, agency, service'), ('X-4 a rule about values', 'agency')$$, 'refusals without an allowed twin');
\ir ../finish.sql
