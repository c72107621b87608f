-- Collaborations begin when an enquiry or a gig application is accepted.

-- For the functions that accept. The caller checks who may.
create or replace function app.open_collaboration(
  source text, title text, influencer_id uuid, client_user_id uuid, agency_id uuid default null, guest_name text default null
) returns uuid
language sql security definer set search_path = '' as $$
  insert into app.collaborations (source, title, influencer_id, client_user_id, agency_id, guest_name)
  values (source, title, influencer_id, client_user_id, agency_id, guest_name)
  returning id
$$;

-- The caller's own profile as an influencer.
create or replace function app.own_influencer_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from app.influencers where user_id = auth.uid()
$$;

grant execute on function app.own_influencer_id() to authenticated, service_role;
