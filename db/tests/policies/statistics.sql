-- The planner's statistics, from which estimated counts are made, know approved profiles only.
\ir ../setup.sql
select current_setting('server_version_num')::integer >= 180000 as writable \gset
do $$ begin
  insert into auth.users (id, email) select tests.id('member ' || n), n || '@example.test' from generate_series(1, 300) as n;
  insert into app.influencers (user_id, name, username, category, location, approved)
  select tests.id('member ' || n), case when n > 200 then 'Secret ' else 'Public ' end || n, case when n > 200 then 'secret' else 'public' end || n,
    case when n > 200 then 'Secret' else 'Tech' end, case when n > 200 then 'Secret ' else 'Public ' end || n % 10, n <= 200 from generate_series(1, 300) as n;
end $$;
create function pg_temp.known(word text) returns bigint language sql as $$
  select count(*) from pg_stats where schemaname = 'app' and tablename = 'influencers' and concat(most_common_vals, histogram_bounds) ~* word
$$;
-- How many rows a visitor can expect, as PostgREST's `count=planned` says.
create function pg_temp.expected(condition text) returns integer language plpgsql as $$
declare
  plan json;
begin
  perform tests.become('visitor');
  execute 'explain (format json) select 1 from influencers where ' || condition into plan;
  perform tests.step_down();
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end $$;

analyze app.influencers;
select cmp_ok(pg_temp.known('secret'), '>=', 4::bigint, 'ST-1 ANALYZE reads profiles that nobody approved');
select cmp_ok(pg_temp.expected('name >= ''Secret'' and name < ''Secreu'''), '>', 20, 'ST-1 and a visitor learns of them');

select is_empty('select stxname from pg_statistic_ext where stxrelid = ''app.influencers''::regclass', 'ST-2 there are no statistics of pairs of columns');
\if :writable
select app.tick_statistics() \g /dev/null
select is(pg_temp.known('secret'), 0::bigint, 'ST-3 the schedule replaces them');
select cmp_ok(pg_temp.known('public'), '>=', 3::bigint, 'ST-3 by those of approved profiles');
select is(pg_temp.expected('name >= ''Secret'' and name < ''Secreu'''), pg_temp.expected('name >= ''Nobody'' and name < ''Nobodz'''), 'ST-3 a visitor learns as much of names that nobody has');
select is(pg_temp.expected('category = ''Secret'''), pg_temp.expected('category = ''Nothing'''), 'ST-3 and of categories');
select cmp_ok(pg_temp.expected('category = ''Tech'''), '>', 100, 'ST-3 what is public is still known');
analyze app.influencers;
select is(pg_temp.known('secret'), 0::bigint, 'ST-4 ANALYZE leaves them');
update app.influencers set name = 'Later' where approved;
select app.tick_statistics() \g /dev/null
select is(pg_temp.known('later'), 0::bigint, 'ST-5 once an hour');
update auth.settings set statistics_at = now() - interval '1 hour';
select app.tick_statistics() \g /dev/null
select is(pg_temp.known('later'), 1::bigint, 'ST-5 they are replaced again');
delete from app.influencers where approved;
update auth.settings set statistics_at = null;
select app.tick_statistics() \g /dev/null
select is(pg_temp.known('later'), 0::bigint, 'ST-6 also when nobody is left');
\endif
\ir ../finish.sql
