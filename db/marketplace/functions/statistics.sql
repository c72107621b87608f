-- The planner's statistics of influencers describe approved profiles only. Row security hides rows, but not what they do to
-- statistics: estimated counts (`Prefer: count=planned` in PostgREST) would tell values of profiles that nobody approved.
-- Statistics can be written from PostgreSQL 18 on. Before that, PGRST_DB_EXACT_COUNTS must be on.

-- Copies the statistics of a sample of approved profiles once an hour, or when the table has grown or shrunk by a tenth.
create or replace function app.tick_statistics() returns void language plpgsql security definer as $$
declare
  listed constant regclass := 'app.influencers';
  size constant real := (select greatest(reltuples, 1) from pg_catalog.pg_class where oid = listed);
begin
  if current_setting('server_version_num')::integer < 180000 or exists (
    select from auth.settings where statistics_at > now() - interval '1 hour' and statistics_of between size * 0.9 and size * 1.1) then
    return;
  end if;
  -- ANALYZE collects none any more.
  execute coalesce((
    select string_agg(format('alter table app.influencers alter %I set statistics 0;', attname), '') from pg_catalog.pg_attribute
    where attrelid = listed and attnum > 0 and not attisdropped and attstattarget is distinct from 0 and attname <> 'approved'), 'select');

  -- The columns by which people filter, search and sort.
  execute format('create temporary table listed on commit drop as
    select id, user_id, name, username, category, location, language, ethnicity, religion, height, age, badge_type, verified, created_at, rating,
      review_count, instagram_followers_count, tiktok_followers_count, youtube_followers_count, twitter_followers_count
    from app.influencers tablesample system (%s) where approved', least(100, 100 * 50000 / size));
  alter table pg_temp.listed
    alter instagram_followers_count set statistics 300, alter tiktok_followers_count set statistics 300,
    alter youtube_followers_count set statistics 300, alter twitter_followers_count set statistics 300,
    alter name set statistics 500, alter username set statistics 500;
  analyze pg_temp.listed;
  perform pg_catalog.pg_clear_attribute_stats('app', 'influencers', attname::text, false)
  from pg_catalog.pg_attribute where attrelid = listed and attnum > 0 and not attisdropped and attname <> 'approved';
  perform pg_catalog.pg_restore_attribute_stats('schemaname', 'app', 'relname', 'influencers', 'attname', attname::text, 'inherited', false,
    'null_frac', null_frac, 'avg_width', avg_width, 'n_distinct', n_distinct, 'most_common_vals', most_common_vals::text,
    'most_common_freqs', most_common_freqs, 'histogram_bounds', histogram_bounds::text, 'correlation', correlation)
  from pg_catalog.pg_stats
  where schemaname = (select nspname from pg_catalog.pg_namespace where oid = pg_catalog.pg_my_temp_schema()) and tablename = 'listed' and attname <> 'approved';
  drop table pg_temp.listed;
  insert into auth.settings default values on conflict do nothing;
  update auth.settings set statistics_at = now(), statistics_of = size;
end $$;
