-- What admins read: tables of everybody, by name or newest first, with totals; e-mail addresses and the log
-- by parts of their text. Measured at 100,000 accounts: `cargo xtask bench admin`.

-- Views hold on to the types of their columns; they are made again after the migrations.
drop view if exists public.profiles, public.agencies, public.vendors, public.audit_log cascade;

set local role serasi_owner;

-- Text that is searched (docs/decisions/005). Parts of addresses that few have are lost in a short histogram.
alter table app.profiles alter email type app.label, alter email set statistics 500;
alter table app.agencies alter email type app.label;
alter table app.vendors alter email type app.label;
alter table app.audit_log alter subject type app.label, alter actor type app.label;
create index profiles_search on app.profiles using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index agencies_email_search on app.agencies using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index vendors_email_search on app.vendors using gin (email app.label_trigrams) with (gin_pending_list_limit = 256);
create index audit_log_search on app.audit_log using gin (subject app.label_trigrams, actor app.label_trigrams)
  with (gin_pending_list_limit = 256);

-- By name. user_id is what the policy asks: with it, rows are counted from the index alone.
create index influencers_by_name on app.influencers (approved, name, id) include (user_id);
create index agencies_by_name on app.agencies (name, id);
create index vendors_by_name on app.vendors (name, id);
-- A badge that few have.
create index agencies_badge_type on app.agencies (badge_type);
create index vendors_badge_type on app.vendors (badge_type);

reset role;
