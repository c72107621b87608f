-- The moderation row, which admins write, is created and removed with the profile. Its approval and badge are copied to the
-- profile for lists.

-- Argument: the kind of profile.
create or replace function app.follow_profile() returns trigger language plpgsql security definer as $$
begin
  case tg_op
    when 'INSERT' then
      insert into app.moderation (user_id, kind, approved, badge_type)
      values (new.user_id, tg_argv[0], coalesce((to_jsonb(new) -> 'approved')::boolean, false), new.badge_type);
    when 'UPDATE' then
      update app.moderation set user_id = new.user_id where user_id = old.user_id and kind = tg_argv[0];
    else
      delete from app.moderation where user_id = old.user_id and kind = tg_argv[0];
  end case;
  return null;
end $$;

create or replace function app.mirror_moderation() returns trigger language plpgsql security definer as $$
begin
  case new.kind
    when 'influencer' then
      update app.influencers set approved = new.approved, badge_type = new.badge_type where user_id = new.user_id;
    when 'agency' then update app.agencies set badge_type = new.badge_type where user_id = new.user_id;
    else update app.vendors set badge_type = new.badge_type where user_id = new.user_id;
  end case;
  return null;
end $$;

-- Admins can't revoke an approval. The service key and superusers can.
create or replace function app.keep_approval() returns trigger language plpgsql as $$
begin
  perform app.refuse_if(not pg_has_role('service_role', 'usage'),
    '23514', 'An approval can''t be taken back', 'moderation', 'moderation_approval_is_final');
  return new;
end $$;

create or replace trigger follow_profile after insert or update of user_id or delete on app.influencers
  for each row execute function app.follow_profile('influencer');
create or replace trigger follow_profile after insert or update of user_id or delete on app.agencies
  for each row execute function app.follow_profile('agency');
create or replace trigger follow_profile after insert or update of user_id or delete on app.vendors
  for each row execute function app.follow_profile('vendor');

create or replace trigger mirror_moderation after update on app.moderation
  for each row when ((old.approved, old.badge_type) is distinct from (new.approved, new.badge_type))
  execute function app.mirror_moderation();

create or replace trigger keep_approval before update of approved on app.moderation
  for each row when (old.approved and not new.approved) execute function app.keep_approval();
