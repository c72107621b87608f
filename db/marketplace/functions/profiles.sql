-- INSTEAD OF triggers of the profile views. Arguments: the profile table, the kind and, for influencers, the private table.
-- Security invoker: the caller's policies apply to every write below.

-- Returns the owner of the existing row that an upsert conflicts with. Views with INSTEAD OF triggers don't support ON
-- CONFLICT, so the gateway sends a plain insert, with the options of the upsert in a setting:
-- {"resolution": "merge-duplicates" or "ignore-duplicates", "columns": [the key]}.
create or replace function app.colliding_profile(target regclass, wanted anyelement) returns uuid language plpgsql as $$
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
) language plpgsql as $$
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

create or replace function app.write_profile() returns trigger language plpgsql as $$
declare
  profile constant regclass := tg_argv[0];
  kind constant text := tg_argv[1];
  private constant regclass := tg_argv[2];
  adds constant boolean := tg_op = 'INSERT';
  before constant jsonb := to_jsonb(old);
  given text[] := (
    select coalesce(array_agg(key), '{}') from jsonb_each(to_jsonb(new))
    where case when adds then value <> 'null' else value is distinct from before -> key end);
  profile_columns text[] := app.common(given, app.columns_granted(profile, case when adds then 'insert' else 'update' end));
  private_columns constant text[] := app.common(given, app.columns_granted(private, 'update'));
  admins_columns text[] := app.common(given, app.columns_granted('app.moderation', 'update'));
  collides_with uuid;
  written bigint;
  violated text;
  explanation text;
begin
  if tg_op = 'DELETE' then
    execute format('delete from %s where user_id = $1', profile) using old.user_id;
    get diagnostics written = row_count;
    return case when written > 0 then old end;
  end if;
  collides_with := case when adds then app.colliding_profile(tg_relid, new) end;
  if collides_with is not null then
    return app.merge_profile(tg_relid, collides_with, given, new);
  end if;

  if pg_has_role('service_role', 'usage') then
    profile_columns := profile_columns || app.common(given, array['id', 'created_at']) || case when adds then '{}' else app.common(given, array['user_id']) end;
    -- `verified` is derived from the badge. A write may contain the derived value; any other value is refused.
    if (to_jsonb(new) ->> 'verified')::boolean = (coalesce(new.badge_type, 'none') <> 'none') then
      given := app.without(given, array['verified']);
    end if;
  elsif adds then
    perform app.refuse(admins_columns, 'can be set by admins only');
  elsif not app.is_admin() then
    perform app.refuse(admins_columns, 'can be changed by admins only');
  elsif old.user_id is distinct from auth.uid() then
    perform app.refuse(profile_columns || private_columns, 'can be changed by its owner only');
  end if;
  perform app.refuse(app.without(given, profile_columns || private_columns || admins_columns), 'can''t be ' || case when adds then 'set' else 'changed' end);

  if adds then
    perform app.insert_columns(profile, profile_columns, new);
    -- There are no such columns unless the caller bypasses row security.
    perform app.update_columns('app.moderation', new.user_id, admins_columns, new, kind);
  else
    -- If nothing changes, one column is still written, so that the policies decide whether the caller may update this row.
    if given = '{}' and old.user_id is distinct from auth.uid() then
      admins_columns := array['badge_type'];
    elsif profile_columns = '{}' and admins_columns = '{}' then
      profile_columns := array['name'];
    end if;
    perform app.lock_account(old.user_id) where cardinality(admins_columns) > 0;
    if app.update_columns('app.moderation', old.user_id, admins_columns, new, kind)
      + app.update_columns(profile, old.user_id, profile_columns, new) = 0 then
      return null;
    end if;
  end if;
  perform app.upsert_columns(private, private_columns, new) where cardinality(private_columns) > 0;
  execute format('select * from %s where user_id = $1', tg_relid::regclass) into new using new.user_id;
  return new;
exception when unique_violation then
  get stacked diagnostics violated = constraint_name, explanation = pg_exception_detail;
  -- A concurrent upsert may have inserted the row in the meantime.
  collides_with := case when adds then app.colliding_profile(tg_relid, new) end;
  if collides_with is not null then
    return app.merge_profile(tg_relid, collides_with, given, new);
  elsif violated <> 'influencers_username_key' then
    raise;
  end if;
  raise exception 'This username is already taken'
    using errcode = 'unique_violation', constraint = violated, detail = explanation;
end $$;

grant execute on function app.colliding_profile(regclass, anyelement), app.merge_profile(regclass, uuid, text[], anyelement) to
  authenticated, service_role;
