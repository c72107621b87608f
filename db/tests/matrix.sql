-- The permission matrix: a row is an act (an operation), and each person has a column with the expected outcome. The files
-- in policies/ fill the table `act` with COPY, and `select tests.matrix()` tests each cell.
--
--   sql      the statement. {agency}, {profile of agency} … are replaced with the IDs of these names, {me} and {my profile}
--            with those of the person
--   request  the same operation over HTTP, for serasi/tests/matrix, which reads the same blocks
--   body     the body of the request
--   a cell   the number of rows read or changed, or the SQLSTATE; `sql/http` if the two differ; empty if not tested

create temporary table act (
  position integer generated always as identity, id text, sql text, request text, body text,
  visitor text, new_influencer text, unapproved text, approved text, verified text,
  new_agency text, agency text, other_agency text, new_vendor text, vendor text, other_vendor text,
  admin text, superadmin text, other_superadmin text, service text
);

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
select position, turn, split_part(btrim(id), ' ', 1) as code, btrim(id) as id, split_part(btrim(sql), ' ', 1) as verb,
  replace(person, '_', ' ') as person, tests.filled(btrim(sql), replace(person, '_', ' ')) as sql, wanted
from act
cross join json_each_text(to_json(act)) with ordinality as named (person, given, turn)
cross join lateral btrim(split_part(given, '/', 1)) as wanted
where person not in ('position', 'id', 'sql', 'request', 'body') and btrim(sql) <> '' and wanted <> '';

create or replace function tests.tables() returns regclass[] language sql stable as $$
  select array_agg(oid::regclass order by oid::regclass::text)
  from pg_class where relkind in ('r', 'p') and relnamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
$$;

-- A hash of all rows of all tables: if it is the same before and after an act, nothing was changed. The function is
-- generated from the catalog, so that it includes new tables, and only once, so that its plan is cached.
do $$
begin
  execute (
    select 'create or replace function tests.fingerprint() returns text language plpgsql as $f$ begin return md5(array[' ||
      string_agg(format('(select sum(hashtextextended(line::text, 0)) from %s as line)', name), ', ') || ']::text); end $f$'
    from unnest(tests.tables()) as name);
end $$;

-- Runs an act as a person, checks the result as the superuser, and rolls it back. A write must change rows if and only if it
-- is allowed.
create or replace function tests.verdict(person text, act text, wanted text, before text, out passed boolean, out got text, out after text)
language plpgsql as $$
declare
  touched bigint;
begin
  begin
    perform tests.become(person);
    execute act;
    get diagnostics touched = row_count;
    perform tests.step_down();
    raise exception using errcode = 'TT000', message = touched, detail = tests.fingerprint();
  exception
    when sqlstate 'TT000' then
      get stacked diagnostics got = message_text, after = pg_exception_detail;
    when others then
      got := sqlstate;
      -- PostgreSQL has already rolled back the changes.
      after := before;
  end;
  passed := got = wanted and (after <> before) = (wanted ~ '^[1-9][0-9]{0,3}$' and act !~* '^\s*select');
end $$;

create or replace function tests.cell(id text, person text, act text, wanted text, before text default tests.fingerprint()) returns text
language plpgsql as $$
declare
  verdict record;
  line text;
begin
  select * into verdict from tests.verdict(person, act, wanted, before);
  perform set_config('tests.cells', (coalesce(nullif(current_setting('tests.cells', true), ''), '0')::integer + 1)::text, true);
  line := tap.ok(verdict.passed, format('%s, as %s: wanted %s, got %s, %s', id, person, wanted, verdict.got,
    case when verdict.after <> before then 'rows changed' else 'nothing changed' end));
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
declare
  -- Computed once, because each act is rolled back.
  before constant text := tests.fingerprint();
begin
  return query select tests.cell(id, person, sql, wanted, before) from cell order by position, turn;
  return next tap.is_empty('select * from refusal_without_twin', 'every refusal has an allowed counterpart');
end $$;

create or replace function tests.finish() returns setof text language plpgsql as $$
declare
  failed constant bigint := tap.num_failed();
  checks constant bigint := tap._get('curr_test');
begin
  return query select tap.finish();
  return next format('# %s checks%s: %s', checks, ', including ' || nullif(current_setting('tests.cells', true), '') || ' cells of the matrix',
    case failed when 0 then 'all passed' else failed || ' FAILED' end);
end $$;
