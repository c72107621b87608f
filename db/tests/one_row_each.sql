-- For files that test constraints, which include it after setup.sql. It adds a row to every table, and creates the table
-- `rule` for statements and the constraint that must refuse each.
select tests.people() \gset
insert into auth.identities (user_id, provider_id, provider, identity_data) values (tests.id('agency'), '1', 'email', '{"email": "agency@example.test"}');
insert into auth.sessions (id, user_id) values (tests.id('session'), tests.id('agency'));
insert into auth.refresh_tokens (session_id, token_hash) values (tests.id('session'), 'first');
insert into auth.refresh_tokens (session_id, token_hash, parent_id) select session_id, 'second', id from auth.refresh_tokens;
insert into auth.flow_state (user_id, authentication_method, code_challenge, code_challenge_method, auth_code_hash, auth_code_issued_at)
values (tests.id('agency'), 'recovery', repeat('c', 43), 's256', 'code', now());
insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to) values (tests.id('agency'), 'recovery_token', 'hash', 'agency@example.test');
insert into auth.sign_in_failures (address_hash, failures, created_at) values ('hash', 1, now());
insert into auth.mail_allowances (address_hash, used_until) values ('hash', now());
insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, created_at, updated_at) values (tests.id('factor'), tests.id('agency'), 'Phone', 'x', 'key', now(), now());
insert into auth.mfa_challenges (id, factor_id, created_at) values (tests.id('challenge'), tests.id('factor'), now());
insert into auth.mfa_recovery_codes (user_id, code_hash, created_at) values (tests.id('agency'), 'x', now());
insert into auth.mfa_failures (user_id, failures, created_at) values (tests.id('agency'), 1, now());
insert into auth.settings default values;
insert into app.newsletter_allowances (source, hour_used_until, day_used_until) values ('all', now(), now());
insert into app.erasures (account, subject_id) values (tests.id('nobody'), tests.id('nobody'));
insert into serasi.system_reports (name, data) values ('backups', '{}');
insert into app.notification_settings (user_id, kind, delivery) values (tests.id('agency'), 'gig_closed', 'daily');
insert into app.digests (user_id, sent_for) values (tests.id('agency'), '2026-01-01');
insert into app.unsubscribe_tokens (token_hash, user_id, kind, expires_at) values ('token', tests.id('agency'), 'digest', now());
insert into storage.objects (id, bucket_id, name) values (tests.id('picture'), 'images', 'a/b.webp');
insert into storage.removals (bucket_id, name) values ('images', 'a/b.webp');
delete from app.gig_applications where id = tests.id('application of verified');
update app.moderation set approved = true where user_id = tests.id('unapproved');
select isnt(number, 0::bigint, 'rows exist in (or add one to tests.people() in db/tests/000_helpers.sql) ' || filled)
from unnest(tests.tables()) as filled
cross join lateral (select (xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || filled, false, true, '')))[1]::text::bigint) as counted (number);

-- Runs a statement and rolls it back. Returns the constraint, or the column that is not null, that refuses it, or 'none'.
create function pg_temp.refused_by(statement text) returns text language plpgsql as $$
declare
  refusing text;
  field text;
begin
  execute tests.filled(statement, 'agency');
  raise exception 'taken back' using errcode = 'TT000';
exception
  when sqlstate 'TT000' then
    return 'none';
  when integrity_constraint_violation then
    get stacked diagnostics refusing = constraint_name, field = column_name;
    return coalesce(nullif(refusing, ''), field);
end $$;

create temporary table rule (refusing text, statement text);
