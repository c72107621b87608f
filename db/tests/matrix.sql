-- The permission matrix: what people try, and what happens. The files in policies/ fill the table `act` with COPY, and
-- `select tests.matrix()` tests each person of each act.
--
--     FA-1 all                              the act; the others have the same code (FA-1) if they are alike
--       sql: select * from favorites        the statement. {agency}, {profile of agency} … are replaced with the IDs of these
--                                           names, {me} and {my profile} with those of the person
--       request: GET favorites              the same over HTTP, for serasi/tests/matrix, which reads the same lines
--       body: …                             the body of the request
--       42501: visitor                      the number of rows read or changed, or the SQLSTATE, and who gets it; `sql/http`
--       1: agency, service                  if the two differ; people who are not named are not tested
create temporary table act (position integer generated always as identity, line text);

create temporary view act_line as
select count(*) filter (where line !~ '^ ') over (order by position) as act, position, line ~ '^ ' as is_part, btrim(line) as line,
  btrim(split_part(line, ': ', 1)) as key, substr(line, strpos(line, ': ') + 2) as value
from act;

create or replace function tests.filled(template text, person text) returns text language plpgsql as $$
declare
  filled text := template;
  name text;
begin
  for name in select distinct names[1] from regexp_matches(template, '\{([a-z][a-z ]*)\}', 'g') as names loop
    filled := replace(filled, '{' || name || '}', quote_literal(tests.id(
      case name when 'me' then person when 'my profile' then 'profile of ' || person else name end)));
  end loop;
  return filled;
end $$;

create temporary view cell as
select named.act as position, part.position * 100 + turn as turn, split_part(named.line, ' ', 1) as code, named.line as id,
  split_part(statement.value, ' ', 1) as verb, person, tests.filled(statement.value, person) as sql, wanted
from act_line as named
join act_line as statement on statement.act = named.act and statement.is_part and statement.key = 'sql'
join act_line as part on part.act = named.act and part.is_part and part.key not in ('sql', 'request', 'body')
cross join lateral split_part(part.key, '/', 1) as wanted
cross join string_to_table(part.value, ', ') with ordinality as people (person, turn)
where not named.is_part and wanted <> '';

create or replace function tests.tables() returns regclass[] language sql stable as $$
  select array_agg(oid::regclass order by oid::regclass::text)
  from pg_class where relkind in ('r', 'p') and relnamespace in ('app'::regnamespace, 'serasi'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
$$;

-- Functions that are generated from the catalog, so that they include new tables, and only once, so that their plans are
-- cached. tests.row_changes() returns for each of tests.hashed_tables() how many rows this transaction has inserted,
-- updated and deleted, including those that were rolled back, and the table's file, which TRUNCATE replaces.
-- tests.contents() returns a hash of a table's rows.
do $$
begin
  execute format('create or replace function tests.hashed_tables() returns regclass[] language sql immutable as $f$ select %L::regclass[] $f$', tests.tables()::oid[]);
  execute (
    select 'create or replace function tests.row_changes() returns bigint[] language plpgsql as $f$ begin return array[' ||
      string_agg(format('array[pg_stat_get_xact_tuples_inserted(%1$s), pg_stat_get_xact_tuples_updated(%1$s), pg_stat_get_xact_tuples_deleted(%1$s), pg_relation_filenode(%1$s)::bigint]', name::oid), ', ')
      || ']; end $f$'
    from unnest(tests.tables()) as name);
  execute (
    select 'create or replace function tests.contents(named regclass) returns text language plpgsql as $f$ begin case named::oid ' ||
      string_agg(format('when %s then return (select sum(hashtextextended(line::text, 0)) from %s as line);', name::oid, name), ' ') || ' end case; end $f$'
    from unnest(tests.tables()) as name);
end $$;

create or replace function tests.changed_tables(since bigint[]) returns regclass[] language plpgsql as $$
declare
  present constant bigint[] := tests.row_changes();
begin
  if present = since then
    return '{}';
  end if;
  return (select array_agg(name order by turn) from unnest(tests.hashed_tables()) with ordinality as tables (name, turn)
    where present[turn:turn] <> since[turn:turn]);
end $$;

-- A hash of all rows of these tables: if it is the same before and after an act, nothing was changed.
create or replace function tests.fingerprint(tables regclass[]) returns text language plpgsql as $$
begin
  return case when tables <> '{}' then (select string_agg(coalesce(tests.contents(name), ''), ' ' order by turn)
    from unnest(tables) with ordinality as these (name, turn)) else '' end;
end $$;

-- Runs an act as a person, checks the result as the superuser, and rolls it back. A write must change rows if and only if it
-- is allowed. Tables without changes need no hash.
create or replace function tests.verdict(person text, act text, wanted text, out passed boolean, out got text, out changed boolean)
language plpgsql as $$
declare
  touched bigint;
  counted constant bigint[] := tests.row_changes();
  tables regclass[];
  after text;
begin
  changed := false;
  begin
    perform tests.become(person);
    execute act;
    get diagnostics touched = row_count;
    perform tests.step_down();
    tables := tests.changed_tables(counted);
    raise exception using errcode = 'TT000', message = touched, detail = tests.fingerprint(tables);
  exception
    when sqlstate 'TT000' then
      get stacked diagnostics got = message_text, after = pg_exception_detail;
      changed := after <> tests.fingerprint(tables);
    when others then
      -- PostgreSQL has already rolled back the changes.
      got := sqlstate;
  end;
  passed := got = wanted and changed = (wanted ~ '^[1-9][0-9]{0,3}$' and act !~* '^\s*select');
end $$;

create or replace function tests.cell(id text, person text, act text, wanted text) returns text
language plpgsql as $$
declare
  verdict record;
  line text;
  description text;
begin
  select * into verdict from tests.verdict(person, act, wanted);
  perform set_config('tests.cells', (coalesce(nullif(current_setting('tests.cells', true), ''), '0')::integer + 1)::text, true);
  description := format('%s, as %s: wanted %s, got %s, %s', id, person, wanted, verdict.got,
    case when verdict.changed then 'rows changed' else 'nothing changed' end);
  if verdict.passed then
    -- What tap.ok() would print. It also updates the current number in a table, which takes longer with each dead row:
    -- tests.finish() does so once.
    return format('ok %s - %s', nextval('__tresults___numb_seq'), description);
  end if;
  line := tap.ok(verdict.passed, description);
  return case when line like 'not ok%' then line || E'\n' || tap.diag('tried: ' || act) else line end;
end $$;

-- A refused act proves nothing if it would fail for everyone. So for each, there must be an allowed act with the same code
-- (such as IN-3) and the same kind of statement.
create temporary view refusal_without_twin as
with allowed as (select * from cell where length(wanted) < 5 and wanted <> '0')
select id, string_agg(person, ', ' order by turn) as refused from cell
where not exists (select from allowed where allowed.position = cell.position)
  and not exists (select from allowed where (allowed.code, allowed.verb) = (cell.code, cell.verb)
    -- If a constraint (class 22 or 23) refuses the act, the same person must succeed with other values.
    and (allowed.person = cell.person or cell.wanted !~ '^2[23]...$'
      or exists (select from cell as other where (other.code, other.person, other.wanted) = (cell.code, cell.person, '42501'))))
group by position, id;

-- Tests each cell, then whether each refused act has an allowed counterpart.
create or replace function tests.matrix() returns setof text language plpgsql as $$
begin
  return query select tests.cell(id, person, sql, wanted) from cell order by position, turn;
  return next tap.is_empty('select * from refusal_without_twin', 'every refusal has an allowed counterpart');
  -- Somebody else would be signed in without an account.
  return next tap.is_empty($person$
    select distinct person from cell where person not in ('visitor', 'new influencer', 'unapproved', 'approved', 'verified', 'new agency', 'agency',
      'other agency', 'new vendor', 'vendor', 'other vendor', 'admin', 'superadmin', 'other superadmin', 'service')$person$, 'each person exists');
end $$;

create or replace function tests.finish() returns setof text language plpgsql as $$
declare
  failed constant bigint := tap.num_failed();
  checks bigint;
begin
  select last_value into checks from __tresults___numb_seq where is_called;
  if checks is not null then
    perform tap._set('curr_test', checks::integer);
  end if;
  return query select tap.finish();
  return next format('# %s checks%s: %s', checks, ', including ' || nullif(current_setting('tests.cells', true), '') || ' cells of the matrix',
    case failed when 0 then 'all passed' else failed || ' FAILED' end);
end $$;
