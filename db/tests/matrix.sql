-- The permission matrix: acts as data, with a column for each person, and what each cell must prove. A
-- policies file fills the table `act` with COPY; `select tests.matrix()` then tests each cell.
--
--   sql      the statement; {agency}, {profile of agency} … are the ids of those names, {me} and {my profile} the actor's
--   request  the same over HTTP, for another runner that reads the same blocks; body: the body of that request
--   a cell   rows read or changed, or the SQLSTATE of a refusal; `sql/http` where the two differ; empty: not tested

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

-- One value for all rows of all tables: if it is equal before and after, nothing was changed. Built from the
-- catalog, so that new tables are included, and only once, so that its plan is cached.
do $$
begin
  execute (
    select 'create or replace function tests.fingerprint() returns text language plpgsql as $f$ begin return md5(array[' ||
      string_agg(format('(select sum(hashtextextended(line::text, 0)) from %s as line)', name), ', ') || ']::text); end $f$'
    from unnest(tests.tables()) as name);
end $$;

-- Runs one act as one person, inspects the result as the superuser, and rolls it back. A refused write must
-- leave everything unchanged, and an allowed one must not.
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
      -- PostgreSQL has rolled everything back.
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

-- A refusal proves nothing where nobody is ever allowed, so at least another act with the same code must be
-- allowed.
create temporary view refusal_without_twin as
with allowed as (select * from cell where length(wanted) < 5 and wanted <> '0')
select id, string_agg(person, ', ' order by turn) as refused from cell
where not exists (select from allowed where allowed.position = cell.position)
  and not exists (select from allowed where (allowed.code, allowed.verb) = (cell.code, cell.verb)
    -- A person who is refused by a rule about values, not by a permission, succeeds with other values.
    and (allowed.person = cell.person or cell.wanted !~ '^2[23]...$'
      or exists (select from cell as other where (other.code, other.person, other.wanted) = (cell.code, cell.person, '42501'))))
group by position, id;

-- Every cell, then the consistency of the acts.
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
