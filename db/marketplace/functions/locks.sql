-- One order of locks for everything that changes the marketplace's rows, so that no two transactions wait for each other:
--
--   accounts (app.profiles) → influencers → agencies → gigs → applications, enquiries, collaborations, reviews
--
-- each by ID. Nobody changes a row without a lock on the accounts and profiles of its parties. Deletions take place one after
-- the other. The schedule never waits: its functions have a lock_timeout, and skip what is locked until their next run.

-- Locks these accounts and profiles, and the accounts of the profiles, against deletion.
create or replace function app.lock_parties(accounts uuid[], of_influencers uuid[], of_agencies uuid[]) returns void language plpgsql as $$
declare
  everyone constant uuid[] := array(
    select unnest(accounts) union select user_id from app.influencers where id = any (of_influencers)
    union select user_id from app.agencies where id = any (of_agencies));
begin
  perform from app.profiles where id = any (everyone) order by id for key share;
  perform from app.influencers where id = any (of_influencers) order by id for key share;
  perform from app.agencies where id = any (of_agencies) order by id for key share;
end $$;

-- Locks a collaboration and its parties. `rates`: an average rating may change, too.
create or replace function app.lock_collaboration(wanted uuid, rates boolean default false) returns app.collaborations language plpgsql as $$
declare
  work app.collaborations;
begin
  select * into work from app.collaborations where id = wanted;
  perform app.lock_parties(array[work.client_user_id], array[work.influencer_id], array[work.agency_id]);
  perform from app.influencers where rates and id = work.influencer_id for no key update;
  perform from app.agencies where rates and id = work.agency_id for no key update;
  select * into work from app.collaborations where id = wanted for update;
  return work;
end $$;

-- Locks an enquiry and its parties.
create or replace function app.lock_enquiry(wanted uuid) returns app.enquiries language plpgsql as $$
declare
  enquiry app.enquiries;
begin
  select * into enquiry from app.enquiries where id = wanted;
  perform app.lock_parties(array[enquiry.sender_user_id], array[enquiry.influencer_id],
    array(select id from app.agencies where user_id = enquiry.sender_user_id));
  select * into enquiry from app.enquiries where id = wanted for update;
  return enquiry;
end $$;

-- Locks applications, and before them their gigs and parties.
create or replace function app.lock_applications(ids uuid[]) returns setof app.gig_applications language plpgsql as $$
declare
  of_gigs constant uuid[] := array(select gig_id from app.gig_applications where id = any (ids));
begin
  perform app.lock_parties('{}', array(select influencer_id from app.gig_applications where id = any (ids)),
    array(select agency_id from app.gig_applications where id = any (ids)));
  perform from app.gigs where id = any (of_gigs) order by id for no key update;
  return query select * from app.gig_applications where id = any (ids) order by id for update;
end $$;

-- Locks an account and its profiles, before admins change what is shown of them.
create or replace function app.lock_account(account uuid) returns void language plpgsql security definer as $$
begin
  perform from app.profiles where id = account for key share;
  perform from app.influencers where user_id = account for no key update;
  perform from app.agencies where user_id = account for no key update;
  perform from app.vendors where user_id = account for no key update;
end $$;

-- Deletions take place one after the other: each reaches rows of many others, in no order that PostgreSQL promises. Cascades
-- from auth.users fire these triggers, too, before they lock the first row.
create or replace function app.delete_in_turn() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('app.delete_in_turn', 0));
  return null;
end $$;

create or replace trigger delete_in_turn before delete on app.profiles for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.influencers for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.agencies for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.gigs for each statement execute function app.delete_in_turn();

grant execute on function app.lock_account(uuid) to authenticated, service_role;
