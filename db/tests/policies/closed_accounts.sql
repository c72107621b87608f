-- An access token outlives its account by up to an hour. After the account was deleted or while it is banned, the token
-- changes nothing, and reads only what visitors see.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into app.notices (user_id, kind) values (tests.id('verified'), 'approved');
  insert into app.notification_settings (user_id, kind, delivery) values (tests.id('verified'), 'enquiry_received', 'off');
  insert into storage.objects (bucket_id, name) values ('images', tests.id('agency') || '/logo-1.png');
  insert into storage.buckets (id, name) values ('other', 'other');
end $$;
-- The storage service sets this when it deletes rows.
set local storage.allow_delete_query = 'true';

create temporary table attempt (id text, person text, sql text, allowed text, refused text);
copy attempt from stdin with (delimiter '|');
save a favorite|agency|insert into public.favorites (influencer_id) values ({profile of verified})|1|42501
remove a favorite|agency|delete from public.favorites|1|0
mark a notification|verified|update public.notifications set seen_at = now()|1|0
mark all notifications|verified|select where exists (select from public.notifications) and public.mark_notifications_seen() = 0|1|0
add a setting|verified|insert into app.notification_settings (user_id, kind, delivery) values ({me}, 'review_published', 'off')|1|42501
change a setting|verified|update app.notification_settings set delivery = 'daily'|1|0
remove a setting|verified|delete from app.notification_settings|1|0
report|agency|insert into public.reports (kind, subject_id, reason) values ('influencer', {profile of verified}, 'scam')|1|42501
review|agency|insert into public.reviews (collaboration_id, rating, text) values ({done}, 5, 'It was good to work together.')|1|PT404
reply to a review|verified|select public.reply_to_review({review of influencer}, 'Thank you.')|1|PT404
edit a profile|verified|update public.influencers set bio = 'New' where user_id = {me}|1|0
edit an agency|agency|update public.agencies set description = 'New' where user_id = {me}|1|0
post a gig|agency|insert into public.gigs (agency_id, title, description) values ({my profile}, 'New', 'New')|1|42501
edit a gig|agency|update public.gigs set title = 'New'|1|0
delete a gig|agency|delete from public.gigs|1|0
apply|verified|insert into public.gig_applications (gig_id, pitch) values ({gig of other agency}, 'I have hosted ten food festivals.')|1|42501
withdraw an application|verified|select public.withdraw_application({application of verified})|1|PT404
decide about an application|agency|select public.decide_application({application of approved}, 'declined')|1|PT404
decline applications|agency|select public.decline_applications(array[{application of approved}::uuid])|1|PT404
complete a collaboration as the influencer|approved|select public.complete_collaboration({work})|1|PT404
complete a collaboration as the client|agency|select public.complete_collaboration({work})|1|PT404
cancel a collaboration|agency|select public.cancel_collaboration({work}, 'Other plans')|1|PT404
answer an enquiry|approved|select public.answer_enquiry({enquiry of agency}, true)|1|PT404
withdraw an enquiry|agency|select public.withdraw_enquiry({enquiry of agency})|1|PT404
see whom an enquiry is from|approved|select where public.enquiry_contact({enquiry of vendor}) = 'vendor@example.test'|1|0
browse gigs|verified|select * from public.gigs|2|0
upload an image|agency|insert into storage.objects (bucket_id, name) values ('images', concat({me}, '/logo-2.png'))|1|42501
replace an image|agency|update storage.objects set metadata = '{}'|1|0
delete an image|agency|delete from storage.objects|1|0
approve|admin|update public.influencers set approved = true where id = {profile of unapproved}|1|0
delete a profile|admin|delete from public.agencies where id = {profile of agency}|1|0
take a report|admin|select public.decide_report({report}, 'taken')|1|42501
unblock|admin|select public.unblock_sender({block})|1|42501
see what is required of staff|admin|select where public.staff_access() = 'granted'|1|0
remove an admin|superadmin|delete from public.user_roles where user_id = {admin}|1|0
request a backup|superadmin|select public.request_backup()|PT409|42501
read the audit log|superadmin|select where exists (select from public.audit_log)|1|0
read the own address|agency|select * from public.profiles where id = {me}|1|0
read the own role|agency|select * from public.user_roles where user_id = {me}|1|0
read the own profile before approval|unapproved|select * from public.influencers where user_id = {me}|1|0
read what visitors see|verified|select * from public.influencers where user_id = {me}|1|1
read the own payment info|verified|select * from public.influencers where user_id = {me} and payment_info is not null|1|0
read the own access|verified|select * from public.influencers where user_id = {me} and access_gigs_page is not null|1|0
read an agency's access|agency|select * from public.agencies where user_id = {me} and access_gigs_page is not null|1|0
read a vendor's access|vendor|select * from public.vendors where user_id = {me} and access_gigs_page is not null|1|0
read favorites|agency|select * from public.favorites|1|0
read notices|verified|select where exists (select from public.notices)|1|0
read notifications|verified|select where exists (select from public.notifications)|1|0
read settings|verified|select where exists (select from public.notification_settings)|1|0
read reports|verified|select * from public.reports|1|0
read an own review before it is published|approved|select * from public.reviews where id = {waiting review}|1|0
read an enquiry sent|agency|select * from public.enquiries|1|0
read enquiries received|approved|select where exists (select from public.enquiries)|1|0
read collaborations as the influencer|approved|select where exists (select from public.collaborations)|1|0
read collaborations as the client|agency|select where exists (select from public.collaborations)|1|0
read own applications|verified|select where exists (select from public.gig_applications)|1|0
read applications received|agency|select where exists (select from public.gig_applications)|1|0
read own gigs|agency|select * from public.gigs|1|0
count enquiries left|agency|select where public.enquiries_left() = 4|1|0
list images|agency|select * from storage.objects|1|0
read unapproved profiles|admin|select * from public.influencers where id = {profile of unapproved}|1|0
read addresses|admin|select where exists (select from public.profiles)|1|0
read who is on the staff|admin|select where exists (select from public.user_roles)|1|0
read everyone's access|admin|select where exists (select from public.influencers where access_gigs_page is not null)|1|0
read agencies' access|admin|select where exists (select from public.agencies where access_gigs_page is not null)|1|0
read vendors' access|admin|select where exists (select from public.vendors where access_gigs_page is not null)|1|0
read reports|admin|select where exists (select from public.reports)|1|0
read decisions|admin|select where exists (select from public.report_decisions)|1|0
read counts of reports|admin|select where exists (select from public.report_counts)|1|0
read counts|admin|select where exists (select from public.moderation_counts)|1|0
read blocked senders|admin|select where exists (select from public.blocked_senders)|1|0
read all applications|admin|select where exists (select from public.gig_applications)|1|0
read all gigs|admin|select where exists (select from public.gigs)|1|0
read backups|superadmin|select where exists (select from public.backups)|1|0
read the health|superadmin|select where public.system_health() is not null|1|42501
\.
-- The functions service sends enquiries, and the storage service writes the rows of uploads.
create temporary table attempts as
select id, person, person as account, tests.filled(sql, person) as sql, allowed, refused from attempt
union all
select id, person, account, tests.filled(sql, account), allowed, refused from (values
  ('send an enquiry', 'service', 'vendor', 'select public.send_enquiries({me}, null, array[{profile of verified}::uuid], ''Two reels'', ''Would you show our new menu?'')', '1', 'PT404'),
  ('upload with a signed URL', 'storage service', 'agency', 'insert into storage.objects (bucket_id, name, owner, owner_id) values (''images'', ''x'', {me}, {me})', '1', '42501'),
  ('replace with a signed URL', 'storage service', 'agency', 'insert into storage.objects (bucket_id, name, owner, owner_id) values (''images'', concat({me}, ''/logo-1.png''), {me}, {me})
    on conflict (bucket_id, name) do update set version = ''2''', '1', '42501'),
  ('upload for the service key', 'storage service', 'agency', 'insert into storage.objects (bucket_id, name) values (''images'', ''x'')', '1', '1'),
  ('upload to another bucket', 'storage service', 'agency', 'insert into storage.objects (bucket_id, name, owner, owner_id) values (''other'', ''x'', {me}, {me})', '1', '1')
) as sent (id, person, account, sql, allowed, refused);

-- Changes the account without triggers, so that its roles and rows remain.
create function pg_temp.outcome(person text, account text, change text, act text) returns text language plpgsql as $$
declare
  got text;
begin
  perform set_config('session_replication_role', 'replica', true);
  execute format('update auth.users set %s where id = tests.id(%L)', change, account);
  perform set_config('session_replication_role', 'origin', true);
  got := tests.outcome(person, act);
  update auth.users set banned_until = null, deleted_at = null where id = tests.id(account);
  return got;
end $$;

select is(pg_temp.outcome(person, account, change, sql), case when is_active then allowed else refused end, id || ', as ' || person || ', ' || state)
from attempts
cross join (values
  ('whose account is active', 'banned_until = null', true),
  ('whose ban is over', 'banned_until = now()', true),
  ('whose account is banned', 'banned_until = now() + interval ''1 second''', false),
  ('whose account was deleted', 'deleted_at = now()', false)) as account_state (state, change, is_active)
order by id, state;

-- A deleted account's row can also be gone.
select is(tests.outcome('nobody', tests.filled(sql, 'nobody')), '42501', id || ', as nobody') from attempt where id = 'upload an image';
select is(tests.outcome('storage service', format('insert into storage.objects (bucket_id, name, owner_id) values (''images'', ''x'', %L)', owner)),
  '42501', 'upload with a signed URL of ' || owner)
from unnest(array[tests.id('nobody')::text, 'no account']) as owner;

do $$ begin
  perform set_config('session_replication_role', 'replica', true);
  delete from app.profiles where id = tests.id('new vendor');
  perform set_config('session_replication_role', 'origin', true);
end $$;
select is(tests.outcome('storage service', format('insert into storage.objects (bucket_id, name, owner, owner_id) values (''images'', ''x'', %1$L, %1$L)', tests.id('new vendor'))),
  '42501', 'upload while the account is being deleted');

\ir ../finish.sql
