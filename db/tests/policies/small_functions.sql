-- Functions that other tests call only as a part of something larger.
\ir ../setup.sql
select tests.people() \g /dev/null

create function pg_temp.may_browse(person text) returns boolean language plpgsql as $$
declare
  answer boolean;
begin
  perform tests.become(person);
  answer := app.may_browse_gigs();
  perform tests.step_down();
  return answer;
end $$;
select is(pg_temp.may_browse(person), wanted, format('%s may browse gigs: %s', person, wanted))
from (values ('admin', true), ('superadmin', true), ('verified', true), ('pending', false), ('agency', false)) as cell (person, wanted);

delete from serasi.mail_outbox;
insert into serasi.mail_outbox (template, recipient, created_at, sent_at, given_up_at)
values ('magic_link', 'a@mail.test', now() - interval '3 hours', now(), null), ('magic_link', 'b@mail.test', now() - interval '2 hours', null, now()),
  ('magic_link', 'c@mail.test', now() - interval '1 hour', null, null);
select is(app.outbox_state(), jsonb_build_object('pending', 1, 'oldest_at', now() - interval '1 hour', 'given_up', 1), 'only unsent mail is pending');

select set_eq('select reading || '' '' || pattern from app.pieces_of(''abcd'')',
  array['abcd %abcd%', 'abcd %abc%', 'abcd %bcd%', 'bacd %bacd%', 'acbd %acbd%', 'abdc %abdc%'], 'pieces of three letters and more, and swapped letters');
select set_eq('select reading || '' '' || pattern from app.pieces_of(''abc'')', array['abc %abc%'], 'a short word is looked up as it is');
select is(count(distinct reading), readings::bigint, length(word) || ' letters have ' || readings || ' readings')
from (values ('abcdefghijklmno', 15), ('abcdefghijklmnop', 1)) as word (word, readings) cross join lateral app.pieces_of(word)
group by word, readings;

-- A release applies it to each view and table before it grants anything.
create temporary table closed as
select attrelid::regclass as name from pg_attribute join pg_class on pg_class.oid = attrelid
where relkind = 'v' and relnamespace = 'public'::regnamespace and atthasdef limit 1;
select is(count(*), 1::bigint, 'a view with defaults') from closed;
select lives_ok(format('select serasi.reset_access(%L)', name), 'its defaults and privileges are removed') from closed;
select is(count(*), 0::bigint, 'no default is left') from pg_attribute join closed on attrelid = name where atthasdef;
select is(has_any_column_privilege(role, name, 'select'), false, 'no privilege is left to ' || role)
from closed, unnest('{anon,authenticated,service_role}'::text[]) as role;

-- LIKE on labels never raises an error. A pattern that ends in an incomplete escape matches nothing.
select is((app.label_like(value, pattern), app.label_ilike(value, pattern))::text, format('(%1$s,%1$s)', left(matches::text, 1)), format('%s like %s', value, pattern))
from (values ('a\', '%\\', true), ('a\', '%\', false), ('a\\', '%\\\', false), ('ab', 'a\b', true), ('ab', 'a\\b', false)) as pair (value, pattern, matches);

-- The functions that return the caller's claims.
select is(auth.jwt(), '{}', 'no claims without a token');
set local request.jwt.claims = '{"sub": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "role": "authenticated", "email": "somebody@example.test"}';
select is(auth.jwt() ->> 'email', 'somebody@example.test', 'auth.jwt()');
select is(auth.uid(), '7c9e6679-7425-40de-944b-e07fc1f90ae7', 'auth.uid()');
select is(auth.role(), 'authenticated', 'auth.role()');
select is(auth.email(), 'somebody@example.test', 'auth.email()');
select is(auth.uid(), null, 'no account: ' || sub)
from unnest(array['somebody', '', '7c9e6679', '7c9e6679-7425-40de-944b-e07fc1f90ae7x', '{7c9e6679-7425-40de-944b-e07fc1f90ae7']) as sub
cross join lateral set_config('request.jwt.claims', jsonb_build_object('sub', sub)::text, true);
create function pg_temp.own_rows() returns bigint language plpgsql as $$
declare
  seen bigint;
begin
  perform set_config('request.jwt.claims', '{"sub": "somebody", "role": "authenticated"}', true), set_config('role', 'authenticated', true);
  select count(*) into seen from public.favorites;
  perform tests.step_down();
  return seen;
end $$;
select is(pg_temp.own_rows(), 0::bigint, 'such a caller owns nothing');
set local request.jwt.claims = '';

-- What a file in access/ says of a table's columns.
create table app.edited (first text, second text, third text);
create view public.edited as select * from app.edited;
select serasi.grant_editing('first, second', 'app.edited', 'public.edited') \g /dev/null
select set_eq($$select grantee::text, table_schema::text, column_name::text, privilege_type::text from information_schema.column_privileges where table_name = 'edited' and grantee <> grantor$$,
  $$select 'authenticated', place, field, act from unnest(array['app', 'public']) as place, unnest(array['first', 'second']) as field, unnest(array['INSERT', 'UPDATE']) as act$$,
  'people may add and change these columns of the table and the view, and no others');
select serasi.on_deletion('app.edited', 'kept', 'first, second') \g /dev/null
select results_eq($$select col_description('app.edited'::regclass, place) from generate_series(1, 3) as place$$, $$values ('On deletion: kept'), ('On deletion: kept'), (null)$$,
  'what a deletion does is a comment on the columns');
select is(obj_description('app.edited'::regclass), null, 'and not on their table,');
select serasi.on_deletion('app.edited', 'removed') \g /dev/null
select is(obj_description('app.edited'::regclass), 'On deletion: removed', 'or, without columns, on the table');
comment on column app.edited.third is 'an operator''s';
select serasi.reset_access('app.edited') \g /dev/null
select results_eq($$select col_description('app.edited'::regclass, place) from generate_series(0, 3) as place$$, $$values (null), (null), (null), ('an operator''s')$$,
  'which the next upgrade removes first, so that it can say something else');

\ir ../finish.sql
