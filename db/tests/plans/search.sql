-- Search: ILIKE uses an index and statistics for every kind of user, and reveals nothing about hidden rows.
-- VACUUM removes rows that other test files rolled back; they would count as read.
vacuum app.influencers;
\ir ../setup.sql
\ir ../crowd.sql

create temporary table search (name text, relation text, columns text[], rare text, common text);
insert into search values
  ('influencers by text', 'influencers', '{name,username,category}', 'mojuntin', 'lifestyle'),
  ('influencers by place', 'influencers', '{location}', 'lahad', 'kuala'),
  ('agencies by text', 'agencies', '{name,company_name,description}', 'teratai pr', 'sdn'),
  ('agencies by place', 'agencies', '{location}', 'kangar', 'kuala'),
  ('vendors by text', 'vendors', '{name,company_name,description}', 'teratai lig', 'sdn'),
  ('vendors by place', 'vendors', '{location}', 'kangar', 'kuala');

create function pg_temp.searched(relation text, columns text[], text text) returns text language sql as $$
  select format('select id, name from %s where (%s) order by created_at desc, id desc limit 24', relation,
    (select string_agg(format('%I ilike %L', field, '%' || text || '%'), ' or ') from unnest(columns) as field))
$$;

select matches(pg_temp.plan(person, pg_temp.searched(relation, columns, rare)), 'Bitmap Index Scan on ' || relation || '_search',
  name || ', as ' || person || ': what few have')
from search, unnest('{visitor,verified,agency,admin}'::text[]) as person;
select doesnt_match(pg_temp.plan(person, pg_temp.searched(relation, columns, text)), 'Seq Scan|SubPlan',
  name || ', as ' || person || ', ' || text || ': nothing per row')
from search, unnest('{visitor,verified,agency,admin}'::text[]) as person, unnest(array[rare, common]) as text;
select cmp_ok(pg_temp.rejected(person, pg_temp.searched(relation, columns, text)), '<', 400::bigint,
  name || ', as ' || person || ', ' || text || ': few rows are read in vain')
from search, unnest('{visitor,agency,admin}'::text[]) as person, unnest(array[rare, common]) as text;

-- Moves pending entries into the index. Otherwise they would be read for each piece.
select gin_clean_pending_list('app.influencers_search') \g /dev/null
-- Close matches: each piece of a rare word is looked up in the index, so that few pages are read. Scanning the table for
-- each piece would read 7,500. Common words are found in the newest profiles, which are read once.
-- `cargo xtask mutate` sets without_pages, because the rows that other files rolled back would be read, too.
\if :{?without_pages}
\else
create function pg_temp.pages(person text, query text) returns integer language sql as $$
  select pg_temp.plan(person, query);
  select sum(pages[1]::integer) from (select tests.reads(person, 'select count(*) from (' || query || ') as found')) as warm,
    regexp_matches(pg_temp.plan(person, query, 'analyze, buffers, costs off, timing off, summary off'), 'Buffers: shared hit=(\d+)') as pages
$$;
select cmp_ok(pg_temp.pages(person, query), '<', 4000, query || ', as ' || person || ': few pages are read')
from unnest('{visitor,verified,agency,admin}'::text[]) as person, unnest(array[
  'select from app.influencers_containing(''mojnuqtin'')', 'select from search_close_influencers(''mojnuqtin'')',
  'select from search_close_influencers(''kuala fashion lifestyle'')', 'select from search_close_influencers(''abdulah yusof kinabaluu'')']) as query;
\endif

-- As the gateway sends it: the values are parameters without a declared type.
prepare gateway as select id from influencers where (influencers.name ilike $1 or influencers.username ilike $2)
  order by created_at desc, id desc limit $3 offset $4;
set local plan_cache_mode = force_custom_plan;
select matches(pg_temp.plan(person, 'execute gateway(''%mojuntin%'', ''%mojuntin%'', ''24'', ''0'')'), 'influencers_search',
  'a value of unknown type, as ' || person) from unnest('{visitor,agency}'::text[]) as person;

-- The planner uses the column statistics, for visitors as for all other roles.
create function pg_temp.expected(person text, condition text) returns bigint language sql as $$
  select substring(pg_temp.plan(person, 'select id from influencers where approved and ' || condition, 'costs on') from 'rows=(\d+)')::bigint
$$;
select cmp_ok(abs(pg_temp.expected('visitor', condition) - pg_temp.expected('service', condition)), '<=', 1 + pg_temp.expected('service', condition) / 20,
  condition || ': as many are expected as without row security')
from unnest(array['name ilike ''%aina%''', 'username ilike ''%zzz%''', 'location ilike ''%kuala%''', 'category ilike ''%fashion%''']) as condition;
select cmp_ok(pg_temp.expected('visitor', 'location ilike ''%kuala%'''), '>', 10 * pg_temp.expected('visitor', 'location ilike ''%lahad%'''),
  'estimates differ for common and rare patterns');

-- A search finds the same rows with the index, without it, and with ILIKE on text.
create temporary table pattern (pattern text);
insert into pattern values ('%mojuntin%'), ('%AINA%'), ('%_ina%'), ('a%z'), ('%.my4%'), ('%an%'), ('%q%'), ('its.%'), ('%\_%'), ('%\%%'), ('%'), ('');
create temporary view found as
select pattern, format('select md5(string_agg(id::text, '','' order by id)) from influencers where username ilike %L', pattern) as by_type,
  format('select md5(string_agg(id::text, '','' order by id)) from influencers where username::text ilike %L', pattern) as by_text
from pattern;
create temporary table answer as select pattern, tests.reads('visitor', by_type) as by_type, tests.reads('visitor', by_text) as by_text from found;
select is(by_type, by_text, format('%L finds what it finds in text', pattern)) from answer;
set local enable_bitmapscan = off;
select is(tests.reads('visitor', found.by_type), answer.by_type, format('%L finds the same without the index', pattern)) from found join answer using (pattern);
set local enable_bitmapscan = on;

-- For text, a pattern that ends in a single backslash raises an error, but only if a row, even a hidden one, matches the
-- part before it. For labels, it matches nothing and never raises an error.
update app.influencers set name = 'Hidden\Name' where user_id = tests.id('unapproved');
update app.influencers set name = 'Shown\Name' where user_id = tests.id('approved');
select throws_ok('select ''Hidden\Name''::text ilike ''hidden\''', '22025', null, 'raises an error for text');
select is(tests.outcome(person, format('select from influencers where %I %s %L', field, operator, pattern)), '0', concat_ws(' ', field, operator, pattern, 'as', person, 'finds nothing'))
from unnest('{visitor,agency,admin}'::text[]) as person, unnest('{name,username,location}'::text[]) as field, unnest('{like,ilike}'::text[]) as operator,
  unnest(array['\', 'Hidden\', '%Hidden\', '%\', 'H%\\\', '%a%\']) as pattern;
select is(tests.reads('visitor', 'select name from influencers where name ilike ''%wn\\na%'''), 'Shown\Name', 'a doubled backslash matches a backslash');
select is(tests.reads('visitor', 'select count(*) from influencers where name ilike ''%en\\na%'''), '0', 'it does not find hidden rows');
select is(tests.reads('visitor', 'select count(*) from influencers where name ilike ''%wn\\'''), '0', 'nor longer names');

-- Hidden rows don't change the outcome of a query. Tested with all patterns of four special characters and letters.
create temporary table oddity as
select string_agg(sign, '' order by place) as pattern
from generate_series(0, 624) as number
cross join lateral (select place, substr('\%_aH', 1 + mod(number / (5 ^ place)::integer, 5), 1) as sign from generate_series(0, 3) as place) as signs
group by number;
select is_empty($$
  select pattern from oddity where app.label_ilike('Hidden\Name', pattern) is null or app.label_like('Hidden\Name', pattern) is null
$$, 'the label operators never raise an error');
select is_empty($$
  select pattern from oddity
  where length(pattern) - length(rtrim(pattern, '\')) not in (1, 3)
    and (app.label_ilike('Ha\%_', pattern) <> ('Ha\%_'::text ilike pattern) or app.label_like('Ha\%_', pattern) <> ('Ha\%_'::text like pattern))
$$, 'their results equal those of text, where text has one');

-- These functions process hidden rows, so the caller's search_path must not change which operators they use.
create schema hostile;
create function hostile.always(text, text) returns boolean language sql immutable as 'select true';
create operator hostile.~~* (leftarg = text, rightarg = text, function = hostile.always);
create operator hostile.<> (leftarg = text, rightarg = text, function = hostile.always);
create function hostile.right(text, integer) returns text language sql immutable as 'select ''x''';
create function hostile.label(path text) returns text language plpgsql as $$
begin
  perform set_config('search_path', path, true);
  return concat_ws(' ', app.label_ilike('abc', 'xyz'), app.label_ilike('abc', 'abc\'), app.label_ilike('abc', 'ABC'));
end $$;
create function hostile.plain(path text) returns text language plpgsql as $$
begin
  perform set_config('search_path', path, true);
  return 'abc'::text ~~* 'xyz'::text;
end $$;
select set_config('search_path', 'hostile, pg_catalog', true) \g /dev/null
select hostile.plain('hostile, pg_catalog') as hijacked, hostile.label('hostile, pg_catalog') as kept \gset
set local search_path = tap, public;
select is(:'hijacked'::text, 'true', 'a search_path can redirect an operator');
select is(:'kept'::text, 'f f t', 'it cannot redirect the label operators');
select is_empty($$
  select proname from pg_proc where proname in ('label_like', 'label_ilike') and pronamespace = 'app'::regnamespace
    and not (proleakproof and provolatile = 'i' and proparallel = 's')
$$, 'the label operators are leakproof');

\ir ../finish.sql
