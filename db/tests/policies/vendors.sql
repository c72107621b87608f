-- Section 5 of the permission matrix: vendors.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Two vendors exist.
copy act (line) from stdin;
VE-1 all
  sql: select * from vendors order by created_at desc
  request: GET vendors?select=*&order=created_at.desc
  2: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-1 one
  sql: select * from vendors where id = {profile of vendor}
  request: GET vendors?id=eq.{profile of vendor}
  1: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-1 how to reach them
  sql: select email, phone from vendors where email is not null
  request: GET vendors?select=email,phone&email=not.is.null
  2: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-1 badges
  sql: select badge_type from vendors where badge_type = 'none'
  request: GET vendors?select=badge_type&badge_type=eq.none
  2: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-1 by the account
  sql: select name from vendors where user_id = {me}
  request: GET vendors?select=name&user_id=eq.{me}
  0: unapproved, approved, verified, agency, admin, superadmin
  1: vendor, other vendor
VE-2 access_influencer_page
  sql: select access_influencer_page from vendors where id = {profile of vendor} and access_influencer_page is not null
  request: GET vendors?select=access_influencer_page&id=eq.{profile of vendor}&access_influencer_page=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 access_agencies_page
  sql: select access_agencies_page from vendors where id = {profile of vendor} and access_agencies_page is not null
  request: GET vendors?select=access_agencies_page&id=eq.{profile of vendor}&access_agencies_page=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 access_events_page
  sql: select access_events_page from vendors where id = {profile of vendor} and access_events_page is not null
  request: GET vendors?select=access_events_page&id=eq.{profile of vendor}&access_events_page=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 access_gigs_page
  sql: select access_gigs_page from vendors where id = {profile of vendor} and access_gigs_page is not null
  request: GET vendors?select=access_gigs_page&id=eq.{profile of vendor}&access_gigs_page=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 subscription_start_date
  sql: select subscription_start_date from vendors where id = {profile of vendor} and subscription_start_date is not null
  request: GET vendors?select=subscription_start_date&id=eq.{profile of vendor}&subscription_start_date=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 subscription_end_date
  sql: select subscription_end_date from vendors where id = {profile of vendor} and subscription_end_date is not null
  request: GET vendors?select=subscription_end_date&id=eq.{profile of vendor}&subscription_end_date=not.is.null
  0: visitor, unapproved, approved, verified, other vendor, agency
  1: vendor, admin, superadmin, service
VE-2 filter by access
  sql: select * from vendors where access_gigs_page
  request: GET vendors?access_gigs_page=is.true
  0: visitor, unapproved, approved, verified, agency
  1: vendor, other vendor
  2: admin, superadmin, service
VE-2 on the table
  sql: select * from app.moderation where kind = 'vendor'
  0: visitor, unapproved, approved, verified, agency
  1: vendor, other vendor
  2: admin, superadmin, service
VE-1 counted
  sql: select * from vendors
  request: HEAD vendors ; Prefer: count=exact
  2: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
\.

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (line) from stdin;
VE-3 own
  sql: insert into vendors (user_id, name, email) values ({me}, 'N', 'n@example.test')
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, admin, superadmin
  1: new vendor
  23505: vendor, other vendor
VE-3 own, without user_id
  sql: insert into vendors (name, email) values ('N', 'n@example.test')
  request: POST vendors
  body: {"name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, admin, superadmin
  1: new vendor
  23505: vendor, other vendor
VE-3 for a new vendor
  sql: insert into vendors (user_id, name, email) values ({new vendor}, 'N', 'n@example.test')
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-3 for an influencer
  sql: insert into vendors (user_id, name, email) values ({new influencer}, 'N', 'n@example.test')
  request: POST vendors
  body: {"user_id": "{new influencer}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
  1: service
VE-3 a moderation row for self
  sql: insert into app.moderation (user_id, kind, badge_type) values ({me}, 'vendor', 'gold')
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-3 upsert onto another's
  sql: insert into vendors (user_id, name, email) select {vendor}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST vendors?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{vendor}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, other vendor, agency, admin, superadmin
  1: vendor, service
VE-3 upsert onto another's by its id
  sql: insert into vendors (id, name, email) select {profile of vendor}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true)
  request: POST vendors?on_conflict=id ; Prefer: resolution=merge-duplicates
  body: {"id": "{profile of vendor}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, other vendor, agency, admin, superadmin
  1: vendor, service
VE-3 upsert onto own
  sql: insert into vendors (user_id, name, email) select {me}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST vendors?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{me}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, admin, superadmin
  1: new vendor, vendor, other vendor
VE-4 own with badge_type
  sql: insert into vendors (user_id, name, email, badge_type) values ({me}, 'N', 'n@example.test', 'gold')
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with badge_type
  sql: insert into vendors (user_id, name, email, badge_type) values ({new vendor}, 'N', 'n@example.test', 'gold')
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with access_influencer_page
  sql: insert into vendors (user_id, name, email, access_influencer_page) values ({me}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with access_influencer_page
  sql: insert into vendors (user_id, name, email, access_influencer_page) values ({new vendor}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with access_agencies_page
  sql: insert into vendors (user_id, name, email, access_agencies_page) values ({me}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with access_agencies_page
  sql: insert into vendors (user_id, name, email, access_agencies_page) values ({new vendor}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with access_events_page
  sql: insert into vendors (user_id, name, email, access_events_page) values ({me}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with access_events_page
  sql: insert into vendors (user_id, name, email, access_events_page) values ({new vendor}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with access_gigs_page
  sql: insert into vendors (user_id, name, email, access_gigs_page) values ({me}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with access_gigs_page
  sql: insert into vendors (user_id, name, email, access_gigs_page) values ({new vendor}, 'N', 'n@example.test', false)
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with subscription_start_date
  sql: insert into vendors (user_id, name, email, subscription_start_date) values ({me}, 'N', 'n@example.test', '2026-02-01')
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with subscription_start_date
  sql: insert into vendors (user_id, name, email, subscription_start_date) values ({new vendor}, 'N', 'n@example.test', '2026-02-01')
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with subscription_end_date
  sql: insert into vendors (user_id, name, email, subscription_end_date) values ({me}, 'N', 'n@example.test', '2026-02-01')
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with subscription_end_date
  sql: insert into vendors (user_id, name, email, subscription_end_date) values ({new vendor}, 'N', 'n@example.test', '2026-02-01')
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with created_at
  sql: insert into vendors (user_id, name, email, created_at) values ({me}, 'N', 'n@example.test', '2030-01-01')
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with created_at
  sql: insert into vendors (user_id, name, email, created_at) values ({new vendor}, 'N', 'n@example.test', '2030-01-01')
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-4 own with id
  sql: insert into vendors (user_id, name, email, id) values ({me}, 'N', 'n@example.test', {another})
  request: POST vendors
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, new vendor, vendor, other vendor, agency, admin, superadmin
VE-4 for a new one with id
  sql: insert into vendors (user_id, name, email, id) values ({new vendor}, 'N', 'n@example.test', {another})
  request: POST vendors
  body: {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
\.

-- Editing: by the owner, by others, and by admins.
copy act (line) from stdin;
VE-5 name
  sql: update vendors set name = 'New' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 email
  sql: update vendors set email = 'new@example.test' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"email": "new@example.test"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 company_name
  sql: update vendors set company_name = 'New' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"company_name": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 phone
  sql: update vendors set phone = '+60 12' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"phone": "+60 12"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 website
  sql: update vendors set website = 'https://new.example.test' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"website": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 description
  sql: update vendors set description = 'New' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"description": "New"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 location
  sql: update vendors set location = 'Ipoh' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"location": "Ipoh"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 type
  sql: update vendors set type = 'Catering' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"type": "Catering"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 logo_url
  sql: update vendors set logo_url = 'https://pictures.example.test/1.jpg' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"logo_url": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: unapproved, approved, verified, other vendor, agency
  1: vendor, service
VE-5 by the account
  sql: update vendors set name = 'New' where user_id = {me}
  request: PATCH vendors?user_id=eq.{me}
  body: {"name": "New"}
  42501: visitor
  0: unapproved, approved, verified, agency, admin, superadmin
  1: vendor, other vendor
VE-6 badge_type
  sql: update vendors set badge_type = 'platinum' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"badge_type": "platinum"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 access_influencer_page
  sql: update vendors set access_influencer_page = false where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"access_influencer_page": false}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 access_agencies_page
  sql: update vendors set access_agencies_page = false where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"access_agencies_page": false}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 access_events_page
  sql: update vendors set access_events_page = false where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"access_events_page": false}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 access_gigs_page
  sql: update vendors set access_gigs_page = false where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"access_gigs_page": false}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 subscription_start_date
  sql: update vendors set subscription_start_date = '2026-06-01' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 subscription_end_date
  sql: update vendors set subscription_end_date = '2026-06-01' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 all of them at once
  sql: update vendors set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-6 a name and a badge
  sql: update vendors set name = 'Mixed', badge_type = 'gold' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"name": "Mixed", "badge_type": "gold"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-6 an unknown badge
  sql: update vendors set badge_type = 'diamond' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"badge_type": "diamond"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  23514: admin, superadmin, service
VE-6 an end before the start
  sql: update vendors set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  23514: admin, superadmin, service
VE-6 a date out of range
  sql: update vendors set subscription_start_date = '9999-01-01' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"subscription_start_date": "9999-01-01"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency
  23514: admin, superadmin, service
VE-7 id
  sql: update vendors set id = {another} where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"id": "{another}"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-7 user_id
  sql: update vendors set user_id = {new vendor} where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"user_id": "{new vendor}"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
VE-7 created_at
  sql: update vendors set created_at = '2030-01-01' where id = {profile of vendor}
  request: PATCH vendors?id=eq.{profile of vendor}
  body: {"created_at": "2030-01-01"}
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  1: service
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (line) from stdin;
VE-8 delete
  sql: delete from vendors where id = {profile of vendor}
  request: DELETE vendors?id=eq.{profile of vendor}
  42501: visitor
  0: unapproved, approved, verified, vendor, other vendor, agency
  1: admin, superadmin, service
VE-8 delete by the account
  sql: delete from vendors where user_id = {me}
  request: DELETE vendors?user_id=eq.{me}
  42501: visitor
  0: unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
VE-8 delete without a condition
  request: DELETE vendors
  /401: visitor
  /400: unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-8 edit without a condition
  request: PATCH vendors
  body: {"name": "New"}
  /401: visitor
  /400: unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin, service
VE-8 delete all profiles
  sql: delete from app.vendors
  42501: visitor
  0: unapproved, approved, verified, vendor, other vendor, agency
  2: admin, superadmin, service
VE-8 edit all profiles
  sql: update app.vendors set name = 'New'
  42501: visitor
  0: unapproved, approved, verified, agency, admin, superadmin
  1: vendor, other vendor
  2: service
VE-8 moderate all
  sql: update app.moderation set badge_type = 'gold', access_gigs_page = false
  42501: visitor
  0: unapproved, approved, verified, vendor, other vendor, agency
  9: admin, superadmin, service
VE-8 write the mirrored badge
  sql: update app.vendors set badge_type = 'gold'
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  2: service
VE-8 delete all moderation rows
  sql: delete from app.moderation
  42501: visitor, unapproved, approved, verified, vendor, other vendor, agency, admin, superadmin
  9: service
\.

-- Limits, as the owner. They apply to the service key, too.
copy act (line) from stdin;
MA-4 name of 100
  sql: update vendors set name = repeat('x', 100) where user_id = {vendor}
  1: vendor, service
MA-4 name of 101
  sql: update vendors set name = repeat('x', 101) where user_id = {vendor}
  23514: vendor, service
MA-4 phone of 20
  sql: update vendors set phone = repeat('x', 20) where user_id = {vendor}
  1: vendor, service
MA-4 phone of 21
  sql: update vendors set phone = repeat('x', 21) where user_id = {vendor}
  23514: vendor, service
MA-4 company_name of 100
  sql: update vendors set company_name = repeat('x', 100) where user_id = {vendor}
  1: vendor, service
MA-4 company_name of 101
  sql: update vendors set company_name = repeat('x', 101) where user_id = {vendor}
  23514: vendor, service
MA-4 description of 500
  sql: update vendors set description = repeat('x', 500) where user_id = {vendor}
  1: vendor, service
MA-4 description of 501
  sql: update vendors set description = repeat('x', 501) where user_id = {vendor}
  23514: vendor, service
MA-4 location of 100
  sql: update vendors set location = repeat('x', 100) where user_id = {vendor}
  1: vendor, service
MA-4 location of 101
  sql: update vendors set location = repeat('x', 101) where user_id = {vendor}
  23514: vendor, service
MA-4 a type of 51
  sql: update vendors set type = repeat('x', 51) where user_id = {vendor}
  23514: vendor, service
MA-6 a link to a script
  sql: update vendors set website = 'javascript:alert(1)' where user_id = {vendor}
  23514: vendor, service
MA-6 a link to the web
  sql: update vendors set website = 'https://web.example.test' where user_id = {vendor}
  1: vendor, service
MA-6 a picture with a script URL
  sql: update vendors set logo_url = 'javascript:alert(1)' where user_id = {vendor}
  23514: vendor, service
\.

select * from tests.matrix();

select is(tests.refusal('vendor', 'update vendors set badge_type = ''gold'' where user_id = auth.uid()'),
  'column "badge_type" can be changed by admins only', 'the error names the column');
select tests.become('vendor') \gset
select lives_ok('update vendors set name = ''Renamed'', badge_type = badge_type, access_gigs_page = true where user_id = auth.uid()', 'unchanged values may be sent');
select tests.become('admin') \gset
select lives_ok(format('update vendors set badge_type = ''gold'' where id = %L', tests.id('profile of vendor')), 'an admin sets a badge');
select tests.become('visitor') \gset
select is((select name || ' ' || badge_type from vendors where id = tests.id('profile of vendor')), 'Renamed gold', 'the badge is public');
select is((select badge_type from vendors where id = tests.id('profile of other vendor')), 'none', 'other profiles are unchanged');
reset role;

delete from app.user_roles where user_id = tests.id('other vendor');
select tests.cell('UR-17 edit after the role was removed', 'other vendor', 'update vendors set name = ''New'' where user_id = auth.uid()', '0');
select tests.cell('UR-17 insert after the role was removed', 'other vendor', 'insert into vendors (name, email) values (''N'', ''n@example.test'')', '42501');
\ir ../finish.sql
