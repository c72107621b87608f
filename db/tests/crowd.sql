-- The files in plans/ include this after setup.sql. It adds enough rows for indexes to pay off, collects statistics, and
-- sets the gateway's planner settings. The random data are the same in each run.
\ir ../seed/bulk.sql
\if :{?crowd}
\else
do $$ begin
  perform tests.people();
  perform setseed(0.5);
  perform pg_temp.seed_influencers(1, 10000);
  perform pg_temp.seed_agencies(1, 1500);
  perform pg_temp.seed_vendors(1, 1500);
  perform pg_temp.seed_gigs(1, 1500);
  insert into app.influencer_private (user_id) select pg_temp.seed_id('influencers', n) from generate_series(1, 2000) as n;
  insert into app.gigs (agency_id, title, description)
  select tests.id('profile of agency'), 'Reel ' || n, 'One video' from generate_series(1, 300) as n;
  insert into app.favorites (user_id, influencer_id)
  select account, pg_temp.seed_id('profiles', n)
  from (select tests.id('agency') union all select pg_temp.seed_id('influencers', n) from generate_series(1, 100) as n) as accounts (account),
    generate_series(1, 30) as n;
  insert into app.notices (user_id, kind)
  select tests.id('verified'), 'approved' from generate_series(1, 30)
  union all select pg_temp.seed_id('influencers', n), 'approved' from generate_series(1, 1500) as n;
end $$;
analyze app.influencers, app.influencer_private, app.agencies, app.vendors, app.moderation,
  app.gigs, app.favorites, app.notices, app.profiles, app.user_roles;
select app.tick_statistics() \g /dev/null
\endif

-- The settings of the gateway's login role.
select count(set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true)) as "settings"
from pg_db_role_setting, unnest(setconfig) as setting
where setrole = 'authenticator'::regrole and setdatabase = 0 and setting !~ 'timeout|search_path' \g /dev/null

create function pg_temp.plan(person text, query text, options text default 'costs off') returns text language plpgsql as $$
declare
  line text;
  plan text := '';
begin
  perform tests.become(person);
  for line in execute format('explain (%s) %s', options, query) loop
    plan := plan || line || E'\n';
  end loop;
  perform tests.step_down();
  return plan;
end $$;

-- The plan of a statement as security definer functions run it: as the owner of the schema. Or as the auth service does.
create function pg_temp.owner_plan(query text, role text default 'serasi_owner') returns text language plpgsql as $$
declare
  line text;
  plan text := '';
begin
  execute format('set local role %I', role);
  for line in execute 'explain (costs off) ' || query loop
    plan := plan || line || E'\n';
  end loop;
  reset role;
  return plan;
end $$;

-- The number of rows that the plan's filters removed.
create function pg_temp.rejected(person text, query text) returns bigint language sql as $$
  select coalesce(sum(found[1]::bigint), 0)
  from regexp_matches(pg_temp.plan(person, query, 'analyze, timing off, summary off, costs off'), 'Rows Removed by [A-Za-z ]*: (\d+)', 'g') as found
$$;
