-- One order of locks for everything that changes the marketplace's rows, so that no two transactions wait for each other:
--
--   accounts (app.profiles) → influencers → agencies → gigs → applications, enquiries, collaborations, reviews
--
-- each by ID. Nobody changes a row without a lock on the accounts and profiles of its parties. Deletions take place one after
-- the other. The schedule never waits: it skips what is locked until its next run.

-- Locks these accounts and profiles, and the accounts of the profiles, against deletion. Returns false instead of waiting if
-- `waits` is false.
create or replace function app.lock_parties(accounts uuid[], of_influencers uuid[], of_agencies uuid[], waits boolean default true)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  everyone constant uuid[] := array(
    select unnest(accounts) union select user_id from app.influencers where id = any (of_influencers)
    union select user_id from app.agencies where id = any (of_agencies));
begin
  if waits then
    perform from app.profiles where id = any (everyone) order by id for key share;
    perform from app.influencers where id = any (of_influencers) order by id for key share;
    perform from app.agencies where id = any (of_agencies) order by id for key share;
    return true;
  end if;
  return (select count(*) from (select from app.profiles where id = any (everyone) for key share skip locked) as held)
      = (select count(*) from app.profiles where id = any (everyone))
    and (select count(*) from (select from app.influencers where id = any (of_influencers) for key share skip locked) as held)
      = (select count(*) from app.influencers where id = any (of_influencers))
    and (select count(*) from (select from app.agencies where id = any (of_agencies) for key share skip locked) as held)
      = (select count(*) from app.agencies where id = any (of_agencies));
end $$;

-- Locks the profiles whose average ratings may change.
create or replace function app.lock_reviewed(of_influencer uuid, of_agency uuid, waits boolean default true) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if waits then
    perform from app.influencers where id = of_influencer for no key update;
    perform from app.agencies where id = of_agency for no key update;
    return true;
  end if;
  return (select count(*) from (select from app.influencers where id = of_influencer for no key update skip locked) as held)
      = (select count(*) from app.influencers where id = of_influencer)
    and (select count(*) from (select from app.agencies where id = of_agency for no key update skip locked) as held)
      = (select count(*) from app.agencies where id = of_agency);
end $$;

-- Locks a collaboration and its parties. `rates`: an average rating may change, too. Without waiting, it returns null if
-- anything is locked.
create or replace function app.lock_collaboration(wanted uuid, rates boolean default false, waits boolean default true)
returns app.collaborations
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  work app.collaborations;
begin
  select * into work from app.collaborations where id = wanted;
  if not app.lock_parties(array[work.client_user_id], array[work.influencer_id], array[work.agency_id], waits)
    or (rates and not app.lock_reviewed(work.influencer_id, work.agency_id, waits)) then
    return null;
  end if;
  if waits then
    select * into work from app.collaborations where id = wanted for update;
  else
    select * into work from app.collaborations where id = wanted for update skip locked;
  end if;
  return work;
end $$;

-- Locks an enquiry and its parties. Without waiting, it returns null if anything is locked.
create or replace function app.lock_enquiry(wanted uuid, waits boolean default true) returns app.enquiries
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  enquiry app.enquiries;
begin
  select * into enquiry from app.enquiries where id = wanted;
  if not app.lock_parties(array[enquiry.sender_user_id], array[enquiry.influencer_id],
    array(select id from app.agencies where user_id = enquiry.sender_user_id), waits) then
    return null;
  end if;
  if waits then
    select * into enquiry from app.enquiries where id = wanted for update;
  else
    select * into enquiry from app.enquiries where id = wanted for update skip locked;
  end if;
  return enquiry;
end $$;

-- Locks applications, and before them their gigs and parties.
create or replace function app.lock_applications(ids uuid[]) returns setof app.gig_applications
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  of_gigs constant uuid[] := array(select gig_id from app.gig_applications where id = any (ids));
begin
  perform app.lock_parties('{}', array(select influencer_id from app.gig_applications where id = any (ids)),
    array(select agency_id from app.gig_applications where id = any (ids)));
  perform from app.gigs where id = any (of_gigs) order by id for no key update;
  return query select * from app.gig_applications where id = any (ids) order by id for update;
end $$;

-- Locks an account and its profiles, before admins change what is shown of them.
create or replace function app.lock_account(account uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from app.profiles where id = account for key share;
  perform from app.influencers where user_id = account for no key update;
  perform from app.agencies where user_id = account for no key update;
  perform from app.vendors where user_id = account for no key update;
end $$;

-- Deletions take place one after the other: each reaches rows of many others, in no order that PostgreSQL promises. Cascades
-- from auth.users fire these triggers, too, before they lock the first row.
create or replace function app.delete_in_turn() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('app.delete_in_turn', 0));
  return null;
end $$;

create or replace trigger delete_in_turn before delete on app.profiles for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.influencers for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.agencies for each statement execute function app.delete_in_turn();
create or replace trigger delete_in_turn before delete on app.gigs for each statement execute function app.delete_in_turn();

grant execute on function app.lock_account(uuid) to authenticated, service_role;
