-- Kinds of notifications, mails and acts of admins are rows, and one table has the decisions about all profiles.
set local role serasi_owner;

create table app.mail_templates (
  template text primary key,
  is_notification boolean not null default false,
  is_optional boolean not null default false,
  kind text unique generated always as (case when is_notification then template end) stored,
  optional_kind text unique generated always as (case when is_optional then template end) stored
);

create table app.audit_actions (
  action text primary key,
  report_kinds text[] not null default '{}'
);

create table app.moderation (
  user_id uuid not null references app.profiles (id) on delete cascade on update cascade,
  kind text not null,
  approved boolean not null default false,
  badge_type text not null default 'none',
  access_influencer_page boolean not null default true,
  access_agencies_page boolean not null default true,
  access_events_page boolean not null default true,
  access_gigs_page boolean not null default true,
  subscription_start_date timestamptz,
  subscription_end_date timestamptz,
  primary key (user_id, kind),
  constraint moderation_kind_known check (kind in ('influencer', 'agency', 'vendor')),
  constraint moderation_approves_influencers check (kind = 'influencer' or not approved),
  constraint moderation_badge_type_known check (badge_type in ('none', 'blue', 'gold', 'platinum')),
  constraint moderation_subscription_dates_plausible check (
    app.is_subscription_date(subscription_start_date) and app.is_subscription_date(subscription_end_date)),
  constraint moderation_subscription_dates_in_order check (subscription_end_date >= subscription_start_date)
);

-- Row security is forced on the owner, too.
reset role;

insert into app.mail_templates (template, is_notification, is_optional)
select unnest(templates::text[]), is_notification, is_optional from (values
  ('{confirmation,recovery,magic_link,email_change,invite,reauthentication,factor_added,factor_reset}', false, false),
  ('{enquiry_received,enquiry_reminder,enquiry_answered,enquiry_withdrawn,enquiry_expired}', true, true),
  ('{application_received,application_decided,application_withdrawn,gig_closing,gig_closed}', true, true),
  ('{collaboration_completed,collaboration_cancelled,review_invited,review_published,review_replied}', true, true),
  ('{approved,report_decided,content_moderated}', true, false),
  ('{digest}', false, true),
  ('{guest_enquiry_confirm,guest_enquiry_answered,guest_enquiry_expired,guest_collaboration_ended,guest_review}', false, false)
) as added (templates, is_notification, is_optional);

insert into app.audit_actions (action)
select unnest('{approve,unapprove,set_badge,set_access,set_subscription,delete_profile,grant_role,revoke_role,request_backup,
  take_report,uphold_report,dismiss_report,unblock_sender,reset_factor}'::text[]);
insert into app.audit_actions (action, report_kinds) values
  ('hide_review', '{review}'), ('close_gig', '{gig}'), ('cancel_enquiry', '{enquiry}'),
  ('block_sender', '{influencer,agency,vendor,gig,enquiry,application,review}');

insert into app.moderation
select user_id, 'influencer', approved, badge_type, access_influencer_page, access_agencies_page, access_events_page, access_gigs_page,
  subscription_start_date, subscription_end_date from app.influencer_moderation
union all
select user_id, 'agency', false, badge_type, access_influencer_page, access_agencies_page, access_events_page, access_gigs_page,
  subscription_start_date, subscription_end_date from app.agency_moderation
union all
select user_id, 'vendor', false, badge_type, access_influencer_page, access_agencies_page, access_events_page, access_gigs_page,
  subscription_start_date, subscription_end_date from app.vendor_moderation;

delete from app.retention where relation in ('app.influencer_moderation', 'app.agency_moderation', 'app.vendor_moderation');
insert into app.retention (relation, name, bound, note) values
  ('app.moderation', 'rows', 'owner', 'deleted with the account or profile'),
  ('app.audit_actions', 'rows', 'reference', 'a row for each action of admins'),
  ('app.mail_templates', 'rows', 'reference', 'a row for each template, period, program, bucket or setting');
update app.retention set note = 'a row for each template, period, program, bucket or setting' where bound = 'reference' and relation <> 'app.audit_actions';

-- The views' files replace them again.
do $$
declare
  profiles record;
begin
  for profiles in
    select view, kind from (values ('influencers', 'influencer'), ('agencies', 'agency'), ('vendors', 'vendor')) as known (view, kind)
  loop
    execute format('create or replace view public.%I with (security_invoker = true) as %s', profiles.view, replace(
      pg_get_viewdef(to_regclass('public.' || profiles.view)),
      format('app.%s_moderation m ON (', profiles.kind), format('app.moderation m ON (m.kind = %L and ', profiles.kind)));
  end loop;
end $$;
drop table app.influencer_moderation, app.agency_moderation, app.vendor_moderation;

alter table app.notices drop constraint notices_kind_known,
  add constraint notices_kind_fkey foreign key (kind) references app.mail_templates (kind);
alter table app.notification_settings drop constraint notification_settings_kind_known;
alter table app.unsubscribe_tokens drop constraint unsubscribe_tokens_kind_known,
  add constraint unsubscribe_tokens_kind_fkey foreign key (kind) references app.mail_templates (optional_kind);
alter table app.mail_outbox drop constraint mail_outbox_template_known,
  add constraint mail_outbox_template_fkey foreign key (template) references app.mail_templates (template);
alter table app.audit_log drop constraint audit_log_action_known,
  add constraint audit_log_action_fkey foreign key (action) references app.audit_actions (action);
alter table app.report_decisions drop constraint report_decisions_actions_known;
