-- An approval adds a notice to the dashboard and queues a mail, in the same transaction.

create or replace function app.tell_of_approval() returns trigger language plpgsql security definer as $$
begin
  insert into app.notices (user_id, kind) values (new.user_id, 'approved');

  insert into serasi.mail_outbox (template, recipient, data)
  select 'approved', profiles.email, jsonb_build_object('name', influencers.name, 'profile_id', influencers.id)
  from app.influencers
  join app.profiles on profiles.id = influencers.user_id
  where influencers.user_id = new.user_id and profiles.email is not null;
  return null;
end $$;

create or replace trigger tell_of_approval after update on app.moderation
  for each row when (new.approved and not old.approved) execute function app.tell_of_approval();
