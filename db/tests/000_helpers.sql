-- Test helpers: people to act as, and functions that run a statement as one of them and roll it back. Plain SQL without psql
-- commands, so that tests in other languages can load it, too. setup.sql loads it for psql.

create schema if not exists tests;
grant usage on schema tests to public;

create or replace function tests.id(person text) returns uuid language sql immutable as $$
  select format('00000000-0000-4000-8000-%s', substr(md5(person), 1, 12))::uuid
$$;

-- An account with a proved address, created as the auth service creates one.
create or replace function tests.sign_up(person text, user_metadata jsonb, app_metadata jsonb default '{}') returns void language sql as $$
  insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
  values (tests.id(person), replace(person, ' ', '.') || '@example.test', now(), user_metadata, app_metadata)
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

-- Enquiries to `approved`: an open one from the agency, an accepted one from the vendor, and an unconfirmed one from a
-- guest, which `approved` can't see yet. And an open one from the other agency to `verified`.
create or replace function tests.enquiries() returns void language sql as $$
  insert into app.enquiry_briefs (id, sender_key, guest_email)
  select tests.id('brief of ' || sender), coalesce(account_id::text, 'guest'), case when account is null then 'guest@example.test' end
  from (values ('agency', 'agency'), ('other agency', 'other agency'), ('vendor', 'vendor'), ('guest', null)) as briefs (sender, account)
  cross join lateral (select case when account is not null then tests.id(account) end) as accounts (account_id);
  insert into app.enquiries (id, brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at, answered_at, sender_email)
  select tests.id('enquiry of ' || sender), tests.id('brief of ' || sender), tests.id('profile of ' || recipient), account_id,
    coalesce(account_id::text, 'guest'), initcap(sender), 'Two reels', 'Would you show our new menu?', state,
    case when state <> 'unconfirmed' then now() end, case state when 'accepted' then now() end, case state when 'accepted' then 'vendor@example.test' end
  from (values ('agency', 'agency', 'approved', 'open'), ('other agency', 'other agency', 'verified', 'open'),
    ('vendor', 'vendor', 'approved', 'accepted'), ('guest', null, 'approved', 'unconfirmed')) as sent (sender, account, recipient, state)
  cross join lateral (select case when account is not null then tests.id(account) end) as accounts (account_id);
  insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
  values (encode(sha256('token of the guest'), 'hex'), 'enquiry', tests.id('brief of guest'), now() + interval '14 days');
$$;

-- A collaboration of an influencer with an agency, which began ten days ago. A completed one ended a day ago.
create or replace function tests.collaboration(name text, influencer text, agency text, state text) returns void language sql as $$
  insert into app.collaborations (id, source, title, influencer_id, client_user_id, agency_id, state, created_at,
    influencer_completed_at, client_completed_at, completed_at)
  select tests.id(name), 'application', initcap(name), tests.id('profile of ' || influencer), tests.id(agency),
    tests.id('profile of ' || agency), state, now() - interval '10 days', ended, ended, ended
  from (select case state when 'completed' then now() - interval '1 day' end as ended) as times
$$;

-- A review by `side`, published and counted unless `waits`.
create or replace function tests.review(name text, collaboration text, side text, rating integer, waits boolean default false) returns void
language sql as $$
  insert into app.reviews (id, collaboration_id, influencer_id, agency_id, author_id, author_key, side, rating, text, publish_at, published_at, counted)
  select tests.id(name), id, influencer_id, agency_id, author, author, review.side, review.rating, 'It was good to work together.',
    completed_at + interval '14 days', case when not waits then completed_at end, not waits
  from app.collaborations
  cross join lateral (select case review.side when 'client' then client_user_id
    else (select user_id from app.influencers where id = influencer_id) end) as writer (author)
  where id = tests.id(collaboration)
$$;

-- An accepted collaboration, a completed one, one that the influencer has reviewed, and one with both reviews.
create or replace function tests.collaborations() returns void language sql as $$
  select tests.collaboration('work', 'approved', 'agency', 'accepted');
  select tests.collaboration('done', 'approved', 'agency', 'completed');
  select tests.collaboration('half', 'approved', 'agency', 'completed');
  select tests.collaboration('reviewed', 'verified', 'agency', 'completed');
  select tests.review('waiting review', 'half', 'influencer', 2, true);
  select tests.review('review of influencer', 'reviewed', 'client', 5);
  select tests.review('review of agency', 'reviewed', 'influencer', 4);
  -- A collaboration with a guest, which the influencer has marked as completed.
  insert into app.collaborations (id, source, title, influencer_id, guest_name, influencer_completed_at)
  values (tests.id('guest work'), 'enquiry', 'Guest Work', tests.id('profile of other influencer'), 'Mei', now());
  insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
  values (encode(sha256('token of the reviewer'), 'hex'), 'review', tests.id('guest work'), now() + interval '22 days');
$$;

-- Everyone in the permission matrix, and the rows that they act upon.
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
  insert into serasi.backups (id, state, started_at, finished_at, place, bytes, row_count, picture_count)
  values (tests.id('backup'), 'complete', now(), now(), '/backups/serasi-20260101T000000Z', 1000, 10, 1);
  select tests.enquiries();
  -- `approved` has no badge, so it couldn't apply now. It had one when it applied.
  insert into app.gig_applications (id, gig_id, influencer_id, pitch, quote, state, decided_at, digested_at)
  values
    (tests.id('application of verified'), tests.id('gig of agency'), tests.id('profile of verified'), 'I have hosted ten food festivals.', 500, 'shortlisted', now(), now()),
    (tests.id('application of approved'), tests.id('gig of agency'), tests.id('profile of approved'), 'I film and cut reels every day.', null, 'applied', null, now());
  select tests.collaborations();
  -- Triggers are disabled, because they would add audit entries and report decisions.
  select set_config('session_replication_role', 'replica', true);
  update app.moderation set subscription_start_date = '2026-01-01', subscription_end_date = '2027-01-01';
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot)
  values (tests.id('report'), 'gig', tests.id('gig of agency'), tests.id('verified'), 'scam', '{"title": "A gig"}');
  insert into app.report_decisions (report_id, owner_id) values (tests.id('report'), tests.id('agency'));
  insert into app.blocked_senders (id, user_id, name, reason, blocker)
  values (tests.id('block'), tests.id('other vendor'), 'other.vendor@example.test', 'Spam', 'admin@example.test');
  select set_config('session_replication_role', 'origin', true);
$$;

-- Acts as this person from now on, until the transaction ends or the next call. tests.step_down() returns to the superuser.
create or replace function tests.become(person text) returns void language plpgsql as $$
declare
  api_role constant text := case person
    when 'visitor' then 'anon' when 'service' then 'service_role' when 'auth service' then 'auth_admin'
    when 'storage service' then 'storage_admin' when 'functions' then 'functions_admin' else 'authenticated' end;
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

-- Runs a statement as this person and rolls it back. Returns the number of rows read or changed, or the SQLSTATE.
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

-- Like tests.outcome, but returns the error message.
create or replace function tests.refusal(person text, act text) returns text language plpgsql as $$
begin
  perform tests.become(person);
  execute act;
  raise exception 'was allowed';
exception when others then
  return sqlerrm;
end $$;

-- The value that this person gets from a query.
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
