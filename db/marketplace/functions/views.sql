-- Helpers of the profile views (influencers, agencies, vendors), which write to several base tables. Everything runs as the
-- caller, so policies and grants decide. These functions only choose the table of each column and the error message.
--
-- The grants to `authenticated` define who may change a column: owners change the columns that it may update in the profile
-- and private tables, admins those that it may update in the moderation table. All other columns are fixed.

create or replace function app.columns_granted(target regclass, privilege text) returns text[] language sql stable as $$
  select coalesce(array_agg(attname::text order by attnum), '{}')
  from pg_catalog.pg_attribute
  where attrelid = target and attnum > 0 and not attisdropped
    and has_column_privilege('authenticated', target, attnum, privilege)
$$;

create or replace function app.common(a text[], b text[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(entry), '{}') from unnest(a) as entry where entry = any (b)
$$;

create or replace function app.without(a text[], b text[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(entry), '{}') from unnest(a) as entry where entry <> all (b)
$$;

create or replace function app.refuse(columns text[], reason text) returns void language plpgsql as $$
begin
  if cardinality(columns) > 0 then
    raise exception 'column "%" %', columns[1], reason using errcode = 'insufficient_privilege', column = columns[1];
  end if;
end $$;

-- Writes only the named columns of `source`, so that concurrent changes to other columns are kept.
create or replace function app.update_columns(
  target regclass, owner uuid, columns text[], source anyelement, kind text default null
) returns bigint language plpgsql as $$
declare
  written bigint;
begin
  if cardinality(columns) = 0 then
    return 0;
  end if;
  execute format('update %s set %s where user_id = $1 %s', target,
    (select string_agg(format('%1$I = ($2).%1$I', name), ', ') from unnest(columns) as name),
    case when kind is not null then 'and kind = $3' end)
  using owner, source, kind;
  get diagnostics written = row_count;
  return written;
end $$;

create or replace function app.insert_columns(target regclass, columns text[], source anyelement) returns void language plpgsql as $$
begin
  execute format('insert into %s (%s) select %s', target,
    (select string_agg(quote_ident(name), ', ') from unnest(columns) as name),
    (select string_agg(format('($1).%I', name), ', ') from unnest(columns) as name))
  using source;
end $$;

create or replace function app.upsert_columns(target regclass, columns text[], source anyelement) returns void language plpgsql as $$
begin
  execute format('insert into %s (user_id, %s) select ($1).user_id, %s on conflict (user_id) do update set %s', target,
    (select string_agg(quote_ident(name), ', ') from unnest(columns) as name),
    (select string_agg(format('($1).%I', name), ', ') from unnest(columns) as name),
    (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name))
  using source;
end $$;

grant execute on function app.columns_granted(regclass, text), app.common(text[], text[]), app.without(text[], text[]), app.refuse(text[],
  text), app.update_columns(regclass, uuid, text[], anyelement, text), app.insert_columns(regclass, text[], anyelement),
  app.upsert_columns(regclass, text[], anyelement) to authenticated, service_role;
