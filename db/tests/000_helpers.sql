-- Test helpers: people to act as, and acts that are always rolled back. Plain SQL, so that tests in other
-- languages can load it too. For psql, setup.sql loads it.

create schema if not exists tests;
grant usage on schema tests to public;

create or replace function tests.id(person text) returns uuid language sql immutable as $$
  select format('00000000-0000-4000-8000-%s', substr(md5(person), 1, 12))::uuid
$$;

-- An account, created as the auth service creates one.
create or replace function tests.sign_up(person text, user_metadata jsonb, app_metadata jsonb default '{}') returns void language sql as $$
  insert into auth.users (id, email, raw_user_meta_data, raw_app_meta_data)
  values (tests.id(person), replace(person, ' ', '.') || '@example.test', user_metadata, app_metadata)
$$;

create or replace function tests.influencer(person text, approved boolean, badge text) returns void language sql as $$
  select tests.sign_up(person, '{"user_type": "influencer"}');
  insert into app.influencers (id, user_id, name, username, category, approved, badge_type)
  values (tests.id('profile of ' || person), tests.id(person), initcap(person), replace(person, ' ', '.'), 'Travel', approved, badge);
  insert into app.influencer_private (user_id, payment_info, date_of_birth)
  values (tests.id(person), jsonb_build_object('payment_method', 'bank', 'account_number', tests.id('account of ' || person)), '1990-01-01');
$$;

create or replace function tests.agency(person text) returns void language sql as $$
  select tests.sign_up(person, '{"user_type": "agency"}');
  insert into app.agencies (id, user_id, name, email)
  values (tests.id('profile of ' || person), tests.id(person), initcap(person), 'hello@agency.test');
  insert into app.gigs (id, agency_id, title, description)
  values (tests.id('gig of ' || person), tests.id('profile of ' || person), 'A gig', 'Of ' || person);
$$;

create or replace function tests.vendor(person text) returns void language sql as $$
  select tests.sign_up(person, '{"user_type": "vendor"}');
  insert into app.vendors (id, user_id, name, email)
  values (tests.id('profile of ' || person), tests.id(person), initcap(person), 'hello@vendor.test');
$$;

-- Every person of the permission matrix, and one of each kind to be acted upon.
create or replace function tests.people() returns void language sql as $$
  select tests.influencer('unapproved', false, 'none');
  select tests.influencer('approved', true, 'none');
  select tests.influencer('verified', true, 'gold');
  select tests.influencer('other influencer', true, 'none');
  select tests.influencer('other unapproved', false, 'none');
  select tests.sign_up('new influencer', '{"user_type": "influencer"}');
  select tests.agency('agency');
  select tests.agency('other agency');
  select tests.sign_up('new agency', '{"user_type": "agency"}');
  select tests.vendor('vendor');
  select tests.vendor('other vendor');
  select tests.sign_up('new vendor', '{"user_type": "vendor"}');
  select tests.sign_up('admin', '{}', '{"marketplace_role": "admin"}');
  select tests.sign_up('superadmin', '{}', '{"marketplace_role": "superadmin"}');
  select tests.sign_up('other superadmin', '{}', '{"marketplace_role": "superadmin"}');
  insert into app.favorites (user_id, influencer_id) values (tests.id('agency'), tests.id('profile of approved'));
  insert into app.newsletter_subscriptions (email) values ('reader@example.test');
  insert into app.backups (id, state, started_at, finished_at, place, bytes, row_count, picture_count)
  values (tests.id('backup'), 'complete', now(), now(), '/backups/serasi-20260101T000000Z', 1000, 10, 1);
  -- Set up in advance, so without triggers that would write notices.
  select set_config('session_replication_role', 'replica', true);
  update app.influencer_moderation set subscription_start_date = '2026-01-01', subscription_end_date = '2027-01-01';
  update app.agency_moderation set subscription_start_date = '2026-01-01', subscription_end_date = '2027-01-01';
  update app.vendor_moderation set subscription_start_date = '2026-01-01', subscription_end_date = '2027-01-01';
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot)
  values (tests.id('report'), 'gig', tests.id('gig of agency'), tests.id('verified'), 'scam', '{"title": "A gig"}');
  insert into app.report_decisions (report_id, owner_id) values (tests.id('report'), tests.id('agency'));
  insert into app.blocked_senders (id, user_id, name, reason, blocker)
  values (tests.id('block'), tests.id('other vendor'), 'other.vendor@example.test', 'Spam', 'admin@example.test');
  select set_config('session_replication_role', 'origin', true);
$$;

-- Until the transaction ends or a call becomes somebody else; `tests.step_down()` becomes the superuser
-- again.
create or replace function tests.become(person text) returns void language plpgsql as $$
declare
  api_role constant text := case person
    when 'visitor' then 'anon' when 'service' then 'service_role' when 'auth service' then 'auth_admin'
    when 'storage service' then 'storage_admin' else 'authenticated' end;
begin
  perform set_config('role', 'none', true);
  perform set_config('request.jwt.claims',
    case api_role when 'authenticated'
      then json_build_object('sub', tests.id(person), 'role', api_role, 'email', replace(person, ' ', '.') || '@example.test')
      else json_build_object('role', api_role) end::text, true);
  perform set_config('role', api_role, true);
end $$;

create or replace function tests.step_down() returns void language plpgsql as $$
begin
  perform set_config('role', 'none', true);
  perform set_config('request.jwt.claims', '', true);
end $$;

-- The outcome of an act: the number of rows it reads or changes, or its SQLSTATE. Always rolled back.
create or replace function tests.outcome(person text, act text) returns text language plpgsql as $$
declare
  touched bigint;
begin
  perform tests.become(person);
  execute act;
  get diagnostics touched = row_count;
  raise exception 'taken back' using errcode = 'TT000', detail = touched;
exception
  when sqlstate 'TT000' then
    return touched;
  when others then
    return sqlstate;
end $$;

-- Like tests.outcome, for a refusal whose message matters.
create or replace function tests.refusal(person text, act text) returns text language plpgsql as $$
begin
  perform tests.become(person);
  execute act;
  raise exception 'was allowed';
exception when others then
  return sqlerrm;
end $$;

-- One value as this person reads it.
create or replace function tests.reads(person text, question text) returns text language plpgsql as $$
declare
  answer text;
begin
  perform tests.become(person);
  execute question into answer;
  perform tests.step_down();
  return answer;
end $$;

grant execute on all functions in schema tests to public;
