-- Section 4 of the permission matrix: agencies.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Two agencies exist.
copy act (line) from stdin;
AG-1 all
  sql: select * from agencies order by created_at desc
  request: GET agencies?select=*&order=created_at.desc
  2: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-1 one
  sql: select * from agencies where id = {profile of agency}
  request: GET agencies?id=eq.{profile of agency}
  1: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-1 how to reach them
  sql: select email, phone from agencies where email is not null
  request: GET agencies?select=email,phone&email=not.is.null
  2: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-1 badges
  sql: select badge_type from agencies where badge_type = 'none'
  request: GET agencies?select=badge_type&badge_type=eq.none
  2: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-1 by the account
  sql: select name from agencies where user_id = {me}
  request: GET agencies?select=name&user_id=eq.{me}
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, other agency
AG-2 access_influencer_page
  sql: select access_influencer_page from agencies where id = {profile of agency} and access_influencer_page is not null
  request: GET agencies?select=access_influencer_page&id=eq.{profile of agency}&access_influencer_page=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 access_agencies_page
  sql: select access_agencies_page from agencies where id = {profile of agency} and access_agencies_page is not null
  request: GET agencies?select=access_agencies_page&id=eq.{profile of agency}&access_agencies_page=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 access_events_page
  sql: select access_events_page from agencies where id = {profile of agency} and access_events_page is not null
  request: GET agencies?select=access_events_page&id=eq.{profile of agency}&access_events_page=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 access_gigs_page
  sql: select access_gigs_page from agencies where id = {profile of agency} and access_gigs_page is not null
  request: GET agencies?select=access_gigs_page&id=eq.{profile of agency}&access_gigs_page=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 subscription_start_date
  sql: select subscription_start_date from agencies where id = {profile of agency} and subscription_start_date is not null
  request: GET agencies?select=subscription_start_date&id=eq.{profile of agency}&subscription_start_date=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 subscription_end_date
  sql: select subscription_end_date from agencies where id = {profile of agency} and subscription_end_date is not null
  request: GET agencies?select=subscription_end_date&id=eq.{profile of agency}&subscription_end_date=not.is.null
  0: visitor, unapproved, approved, verified, other agency, vendor
  1: agency, admin, superadmin, service
AG-2 filter by access
  sql: select * from agencies where access_gigs_page
  request: GET agencies?access_gigs_page=is.true
  0: visitor, unapproved, approved, verified, vendor
  1: agency, other agency
  2: admin, superadmin, service
AG-2 on the table
  sql: select * from app.moderation where kind = 'agency'
  0: visitor, unapproved, approved, verified, vendor
  1: agency, other agency
  2: admin, superadmin, service
AG-1 counted
  sql: select * from agencies
  request: HEAD agencies ; Prefer: count=exact
  2: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
\.

-- Editing: by the owner, by others, and by admins.
copy act (line) from stdin;
AG-5 name
  sql: update agencies set name = 'New' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 email
  sql: update agencies set email = 'new@example.test' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"email": "new@example.test"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 company_name
  sql: update agencies set company_name = 'New' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"company_name": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 phone
  sql: update agencies set phone = '+60 12' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"phone": "+60 12"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 website
  sql: update agencies set website = 'https://new.example.test' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"website": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 description
  sql: update agencies set description = 'New' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"description": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 location
  sql: update agencies set location = 'Ipoh' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"location": "Ipoh"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 type
  sql: update agencies set type = 'PR' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"type": "PR"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 contracts_enabled
  sql: update agencies set contracts_enabled = true where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"contracts_enabled": true}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 logo_url
  sql: update agencies set logo_url = 'https://pictures.example.test/1.jpg' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"logo_url": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 banner_url
  sql: update agencies set banner_url = 'https://pictures.example.test/1.jpg' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"banner_url": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 gallery
  sql: update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other agency, vendor
  1: agency, service
AG-5 by the account
  sql: update agencies set name = 'New' where user_id = {me}
  request: PATCH agencies?user_id=eq.{me}
  body: {"name": "New"}
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, other agency
AG-6 badge_type
  sql: update agencies set badge_type = 'platinum' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"badge_type": "platinum"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 access_influencer_page
  sql: update agencies set access_influencer_page = false where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"access_influencer_page": false}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 access_agencies_page
  sql: update agencies set access_agencies_page = false where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"access_agencies_page": false}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 access_events_page
  sql: update agencies set access_events_page = false where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"access_events_page": false}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 access_gigs_page
  sql: update agencies set access_gigs_page = false where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"access_gigs_page": false}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 subscription_start_date
  sql: update agencies set subscription_start_date = '2026-06-01' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 subscription_end_date
  sql: update agencies set subscription_end_date = '2026-06-01' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 all of them at once
  sql: update agencies set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-6 a name and a badge
  sql: update agencies set name = 'Mixed', badge_type = 'gold' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"name": "Mixed", "badge_type": "gold"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-6 an unknown badge
  sql: update agencies set badge_type = 'diamond' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"badge_type": "diamond"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  23514: admin, superadmin, service
AG-6 an end before the start
  sql: update agencies set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  23514: admin, superadmin, service
AG-6 a date out of range
  sql: update agencies set subscription_start_date = '9999-01-01' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"subscription_start_date": "9999-01-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor
  23514: admin, superadmin, service
AG-7 id
  sql: update agencies set id = {another} where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"id": "{another}"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-7 user_id
  sql: update agencies set user_id = {new agency} where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"user_id": "{new agency}"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-7 created_at
  sql: update agencies set created_at = '2030-01-01' where id = {profile of agency}
  request: PATCH agencies?id=eq.{profile of agency}
  body: {"created_at": "2030-01-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
\.

-- The gallery.
copy act (line) from stdin;
AG-8 a gallery of eight
  sql: update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where user_id = {agency}
  request: PATCH agencies?user_id=eq.{agency}
  body: {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]}
  42501: visitor
  1: agency, service
AG-8 a gallery of nine
  sql: update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where user_id = {agency}
  request: PATCH agencies?user_id=eq.{agency}
  body: {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]}
  42501: visitor
  23514: agency, service
AG-8 a gallery with a script in it
  sql: update agencies set gallery = array['javascript:alert(1)'] where user_id = {agency}
  request: PATCH agencies?user_id=eq.{agency}
  body: {"gallery": ["javascript:alert(1)"]}
  42501: visitor
  23514: agency, service
AG-8 a gallery with a hole
  sql: update agencies set gallery = array[null] where user_id = {agency}
  request: PATCH agencies?user_id=eq.{agency}
  body: {"gallery": [null]}
  42501: visitor
  23514: agency, service
AG-8 no list
  sql: update agencies set gallery = 'one' where user_id = {agency}
  request: PATCH agencies?user_id=eq.{agency}
  body: {"gallery": "X"}
  22P02/401: visitor
  22P02: agency, service
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (line) from stdin;
AG-9 delete
  sql: delete from agencies where id = {profile of agency}
  request: DELETE agencies?id=eq.{profile of agency}
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor
  1: admin, superadmin, service
AG-9 delete by the account
  sql: delete from agencies where user_id = {me}
  request: DELETE agencies?user_id=eq.{me}
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
AG-10 delete without a condition
  request: DELETE agencies
  /401: visitor
  /400: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-10 edit without a condition
  request: PATCH agencies
  body: {"name": "New"}
  /401: visitor
  /400: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
AG-10 delete all profiles
  sql: delete from app.agencies
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor
  2: admin, superadmin, service
AG-10 edit all profiles
  sql: update app.agencies set name = 'New'
  42501: visitor
  0: unapproved, approved, verified, vendor, admin, superadmin
  1: agency, other agency
  2: service
AG-10 moderate all
  sql: update app.moderation set badge_type = 'gold', access_gigs_page = false
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor
  9: admin, superadmin, service
AG-10 write the mirrored badge
  sql: update app.agencies set badge_type = 'gold'
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  2: service
AG-10 delete all moderation rows
  sql: delete from app.moderation
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  9: service
\.

select * from tests.matrix();

select is(tests.refusal('agency', 'update agencies set badge_type = ''gold'' where user_id = auth.uid()'),
  'column "badge_type" can be changed by admins only', 'the error names the column');
select tests.become('agency') \gset
select lives_ok('update agencies set name = ''Renamed'', badge_type = badge_type, access_gigs_page = true where user_id = auth.uid()', 'unchanged values may be sent');
select tests.become('admin') \gset
select lives_ok(format('update agencies set badge_type = ''gold'' where id = %L', tests.id('profile of agency')), 'an admin sets a badge');
select tests.become('visitor') \gset
select is((select name || ' ' || badge_type from agencies where id = tests.id('profile of agency')), 'Renamed gold', 'the badge is public');
select is((select badge_type from agencies where id = tests.id('profile of other agency')), 'none', 'other profiles are unchanged');
reset role;

-- Deleting a profile deletes its gigs, but not the account.
select tests.become('admin') \gset
delete from agencies where id = tests.id('profile of agency');
reset role;
select is((select array_agg(description)::text from app.gigs), '{"Of other agency"}', 'AG-9: only its gigs are deleted');
select is((select string_agg(role, ', ') from app.user_roles where user_id = tests.id('agency')), 'agency', 'MA-14: the account and its role remain');

delete from app.user_roles where user_id = tests.id('other agency');
select tests.cell('UR-17 edit after the role was removed', 'other agency', 'update agencies set name = ''New'' where user_id = auth.uid()', '0');
select tests.cell('UR-17 insert after the role was removed', 'other agency', 'insert into agencies (name, email) values (''N'', ''n@example.test'')', '42501');

-- The conflict target of an upsert must be a single unique column.
select tests.cell('AG-3 upsert by two columns', 'agency', 'insert into agencies (user_id, name, email) select auth.uid(), ''New'', ''n@example.test''
  from set_config(''request.on_conflict'', ''{"resolution": "merge-duplicates", "columns": ["user_id", "name"]}'', true)', '42P10');
select tests.cell('AG-3 upsert by a column that is not unique', 'agency', 'insert into agencies (user_id, name, email) select auth.uid(), ''New'', ''n@example.test''
  from set_config(''request.on_conflict'', ''{"resolution": "merge-duplicates", "columns": ["name"]}'', true)', '42P10');
\ir ../finish.sql
