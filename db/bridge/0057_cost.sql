-- Settings of indexes and storage for tables with a million rows.
set local role serasi_owner;

-- A search reads the list of pending entries in each of its scans, and a search for close matches scans the index up to 80
-- times. Writing is not slower without the list.
alter index app.influencers_search set (fastupdate = off);
alter index app.influencers_search reset (gin_pending_list_limit);
alter index app.agencies_search set (fastupdate = off);
alter index app.agencies_search reset (gin_pending_list_limit);
alter index app.vendors_search set (fastupdate = off);
alter index app.vendors_search reset (gin_pending_list_limit);

-- Each row is updated at a sign-in or a refresh. With free space in its page, the update changes no index.
alter table auth.users set (fillfactor = 90);
alter table auth.sessions set (fillfactor = 85);
alter table auth.refresh_tokens set (fillfactor = 85);

-- Tables whose rows come and go. By default, autovacuum waits until a fifth of a table is dead: 200,000 rows of a million.
do $$
declare
  hot text;
begin
  foreach hot in array '{auth.sessions, auth.refresh_tokens, auth.one_time_tokens, auth.flow_state, auth.sign_in_failures,
    auth.mail_allowances, auth.mfa_challenges, app.mail_outbox, app.notices, app.unsubscribe_tokens, app.guest_links,
    app.newsletter_allowances, app.enquiries, app.enquiry_briefs, app.gig_applications, storage.removals}'::text[]
  loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', hot);
  end loop;
end $$;

reset role;
