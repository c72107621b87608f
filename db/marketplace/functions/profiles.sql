-- INSTEAD OF triggers of the profile views. Arguments: the profile table, the kind and, for influencers, the private table.
-- Security invoker: the caller's policies apply to every write below.

-- Returns the owner of the existing row that an upsert conflicts with. Views with INSTEAD OF triggers don't support ON
-- CONFLICT, so the gateway sends a plain insert, with the options of the upsert in a setting:
-- {"resolution": "merge-duplicates" or "ignore-duplicates", "columns": [the key]}.
create or replace function app.colliding_profile(target regclass, wanted anyelement) returns uuid
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  on_conflict constant jsonb := nullif(current_setting('request.on_conflict', true), '')::jsonb;
  key text := coalesce(on_conflict -> 'columns' ->> 0, 'id');
  owner uuid;
begin
  if on_conflict is null then
    return null;
  end if;
  if key not in ('id', 'user_id') or jsonb_array_length(on_conflict -> 'columns') > 1 then
    raise exception 'there is no unique or exclusion constraint matching the ON CONFLICT specification'
      using errcode = 'invalid_column_reference';
  end if;
  execute format('select user_id from %s where %I = ($1).%I', target, key, key) into owner using wanted;
  return owner;
end $$;

-- Like ON CONFLICT DO UPDATE, raises an error if the caller may not update the existing row.
create or replace function app.merge_profile(
  target regclass, owner uuid, columns text[], wanted anyelement, out merged anyelement
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('request.on_conflict')::jsonb ->> 'resolution' = 'ignore-duplicates' then
    return;
  end if;
  if app.update_columns(target, owner, columns, wanted) = 0 then
    raise exception 'new row violates row-level security policy (USING expression) for table "%"', target
      using errcode = 'insufficient_privilege';
  end if;
  execute format('select * from %s where user_id = $1', target) into merged using owner;
end $$;

create or replace function app.insert_profile() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  profile constant regclass := tg_argv[0];
  kind constant text := tg_argv[1];
  private constant regclass := tg_argv[2];
  given text[] := (select coalesce(array_agg(key), '{}') from jsonb_each(to_jsonb(new)) where value <> 'null');
  admins_columns constant text[] := app.columns_granted('app.moderation', 'update');
  private_columns constant text[] := app.common(given, app.columns_granted(private, 'update'));
  profile_columns text[] := app.columns_granted(profile, 'insert');
  collides_with uuid := app.colliding_profile(tg_relid, new);
  violated text;
  explanation text;
begin
  if collides_with is not null then
    return app.merge_profile(tg_relid, collides_with, given, new);
  end if;
  if not pg_has_role('service_role', 'usage') then
    perform app.refuse(app.common(given, admins_columns), 'can be set by admins only');
  else
    profile_columns := profile_columns || array['id', 'created_at'];
    -- `verified` is derived from the badge. A write may contain the derived value; any other value is refused.
    if (to_jsonb(new) ->> 'verified')::boolean = (coalesce(new.badge_type, 'none') <> 'none') then
      given := app.without(given, array['verified']);
    end if;
  end if;
  perform app.refuse(app.without(given, profile_columns || private_columns || admins_columns), 'can''t be set');

  perform app.insert_columns(profile, app.common(given, profile_columns), new);
  if cardinality(private_columns) > 0 then
    perform app.upsert_columns(private, private_columns, new);
  end if;
  -- There are no such columns unless the caller bypasses row security.
  perform app.update_columns('app.moderation', new.user_id, app.common(given, admins_columns), new, kind);

  execute format('select * from %s where user_id = $1', tg_relid::regclass) into new using new.user_id;
  return new;
exception when unique_violation then
  get stacked diagnostics violated = constraint_name, explanation = pg_exception_detail;
  -- A concurrent upsert may have inserted the row in the meantime.
  collides_with := app.colliding_profile(tg_relid, new);
  if collides_with is not null then
    return app.merge_profile(tg_relid, collides_with, given, new);
  end if;
  if violated <> 'influencers_username_key' then
    raise;
  end if;
  raise exception 'This username is already taken'
    using errcode = 'unique_violation', constraint = violated, detail = explanation;
end $$;

create or replace function app.update_profile() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  profile constant regclass := tg_argv[0];
  kind constant text := tg_argv[1];
  private constant regclass := tg_argv[2];
  before constant jsonb := to_jsonb(old);
  changed text[] := (
    select coalesce(array_agg(key), '{}') from jsonb_each(to_jsonb(new)) where value is distinct from before -> key);
  profile_changes text[] := app.common(changed, app.columns_granted(profile, 'update'));
  private_changes constant text[] := app.common(changed, app.columns_granted(private, 'update'));
  admins_changes text[] := app.common(changed, app.columns_granted('app.moderation', 'update'));
  as_admin boolean := false;
  written bigint;
  violated text;
  explanation text;
begin
  if not pg_has_role('service_role', 'usage') then
    as_admin := app.is_admin();
    if not as_admin then
      perform app.refuse(admins_changes, 'can be changed by admins only');
    elsif old.user_id is distinct from auth.uid() then
      perform app.refuse(profile_changes || private_changes, 'can be changed by its owner only');
    end if;
  else
    profile_changes := profile_changes || app.common(changed, array['id', 'user_id', 'created_at']);
    -- `verified` is derived from the badge. A write may contain the derived value; any other value is refused.
    if (to_jsonb(new) ->> 'verified')::boolean = (new.badge_type <> 'none') then
      changed := app.without(changed, array['verified']);
    end if;
  end if;
  perform app.refuse(app.without(changed, profile_changes || private_changes || admins_changes), 'can''t be changed');

  -- If nothing changes, one column is still written, so that the policies decide whether the caller may update this row.
  if changed = '{}' and old.user_id is distinct from auth.uid() then
    admins_changes := array['badge_type'];
  elsif profile_changes = '{}' and admins_changes = '{}' then
    profile_changes := array['name'];
  end if;

  if cardinality(admins_changes) > 0 then
    perform app.lock_account(old.user_id);
  end if;
  written := app.update_columns('app.moderation', old.user_id, admins_changes, new, kind)
    + app.update_columns(profile, old.user_id, profile_changes, new);
  if written = 0 then
    return null;
  end if;
  if cardinality(private_changes) > 0 then
    perform app.upsert_columns(private, private_changes, new);
  end if;

  execute format('select * from %s where user_id = $1', tg_relid::regclass) into new using new.user_id;
  return new;
exception when unique_violation then
  get stacked diagnostics violated = constraint_name, explanation = pg_exception_detail;
  if violated <> 'influencers_username_key' then
    raise;
  end if;
  raise exception 'This username is already taken'
    using errcode = 'unique_violation', constraint = violated, detail = explanation;
end $$;

create or replace function app.delete_profile() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  deleted bigint;
begin
  execute format('delete from %s where user_id = $1', tg_argv[0]::regclass) using old.user_id;
  get diagnostics deleted = row_count;
  return case when deleted > 0 then old end;
end $$;

grant execute on function app.colliding_profile(regclass, anyelement), app.merge_profile(regclass, uuid, text[], anyelement)
  to authenticated, service_role;
