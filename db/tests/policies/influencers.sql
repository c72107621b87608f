-- Section 3 of the permission matrix: influencers.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Five influencers have a profile, and three of them are approved. IN-34: unapproved influencers also see their own
-- profile in the carousel, as in IN-1 (the specification says public rows only).
copy act (line) from stdin;
IN-1 all
  sql: select * from influencers order by created_at desc
  request: GET influencers?select=*&order=created_at.desc
  3: visitor, new influencer, approved, verified, agency, vendor
  4: unapproved
  5: admin, superadmin, service
IN-1 the unapproved among them
  sql: select * from influencers where not approved
  request: GET influencers?approved=is.false
  0: visitor, new influencer, approved, verified, agency, vendor
  1: unapproved
  2: admin, superadmin, service
IN-2 an approved one
  sql: select * from influencers where id = {profile of other influencer}
  request: GET influencers?id=eq.{profile of other influencer}
  1: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-2 own by its id
  sql: select * from influencers where id = {my profile}
  request: GET influencers?id=eq.{my profile}
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-3 an unapproved one
  sql: select * from influencers where id = {profile of other unapproved}
  request: GET influencers?id=eq.{profile of other unapproved}
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-3 by its account
  sql: select * from influencers where user_id = {other unapproved}
  request: GET influencers?user_id=eq.{other unapproved}
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-3 by its name
  sql: select * from influencers where username = 'other.unapproved'
  request: GET influencers?username=eq.other.unapproved
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-4 own private columns
  sql: select * from influencers where user_id = {me} and payment_info is not null and date_of_birth is not null
  request: GET influencers?user_id=eq.{me}&payment_info=not.is.null&date_of_birth=not.is.null
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-4 a verified account's private columns
  sql: select * from influencers where user_id = {verified} and payment_info is not null
  request: GET influencers?user_id=eq.{verified}&payment_info=not.is.null
  0: visitor, new influencer, unapproved, approved, agency, vendor, admin, superadmin
  1: verified, service
IN-5 another's payment_info
  sql: select * from influencers where id = {profile of other influencer} and payment_info is not null
  request: GET influencers?id=eq.{profile of other influencer}&payment_info=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-5 by name, everybody's payment_info
  sql: select payment_info from influencers where payment_info is not null
  request: GET influencers?select=payment_info&payment_info=not.is.null
  0: visitor, new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-5 another's date_of_birth
  sql: select * from influencers where id = {profile of other influencer} and date_of_birth is not null
  request: GET influencers?id=eq.{profile of other influencer}&date_of_birth=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-5 by name, everybody's date_of_birth
  sql: select date_of_birth from influencers where date_of_birth is not null
  request: GET influencers?select=date_of_birth&date_of_birth=not.is.null
  0: visitor, new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-6 filter by account number
  sql: select id from influencers where payment_info ->> 'account_number' = {account of other influencer}
  request: GET influencers?select=id&payment_info->>account_number=eq.{account of other influencer}
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-6 filter by payment method
  sql: select id from influencers where payment_info ->> 'payment_method' = 'bank'
  request: GET influencers?select=id&payment_info->>payment_method=eq.bank
  0: visitor, new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-6 filter by date of birth
  sql: select id from influencers where date_of_birth < '2000-01-01'
  request: GET influencers?select=id&date_of_birth=lt.2000-01-01
  0: visitor, new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-8 another's access_influencer_page
  sql: select access_influencer_page from influencers where id = {profile of other influencer} and access_influencer_page is not null
  request: GET influencers?select=access_influencer_page&id=eq.{profile of other influencer}&access_influencer_page=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 another's access_agencies_page
  sql: select access_agencies_page from influencers where id = {profile of other influencer} and access_agencies_page is not null
  request: GET influencers?select=access_agencies_page&id=eq.{profile of other influencer}&access_agencies_page=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 another's access_events_page
  sql: select access_events_page from influencers where id = {profile of other influencer} and access_events_page is not null
  request: GET influencers?select=access_events_page&id=eq.{profile of other influencer}&access_events_page=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 another's access_gigs_page
  sql: select access_gigs_page from influencers where id = {profile of other influencer} and access_gigs_page is not null
  request: GET influencers?select=access_gigs_page&id=eq.{profile of other influencer}&access_gigs_page=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 another's subscription_start_date
  sql: select subscription_start_date from influencers where id = {profile of other influencer} and subscription_start_date is not null
  request: GET influencers?select=subscription_start_date&id=eq.{profile of other influencer}&subscription_start_date=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 another's subscription_end_date
  sql: select subscription_end_date from influencers where id = {profile of other influencer} and subscription_end_date is not null
  request: GET influencers?select=subscription_end_date&id=eq.{profile of other influencer}&subscription_end_date=not.is.null
  0: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-8 filter by access or subscription
  sql: select * from influencers where access_gigs_page or subscription_end_date is not null
  request: GET influencers?or=(access_gigs_page.is.true,subscription_end_date.not.is.null)
  0: visitor, new influencer, agency, vendor
  1: unapproved, approved, verified
  5: admin, superadmin, service
IN-9 the gigs check
  sql: select verified, approved from influencers where user_id = {me}
  request: GET influencers?select=verified,approved&user_id=eq.{me}
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-9 for another
  sql: select verified, approved from influencers where user_id = {verified}
  request: GET influencers?select=verified,approved&user_id=eq.{verified}
  1: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-32 counted
  sql: select * from influencers
  request: HEAD influencers ; Prefer: count=exact
  3: visitor, new influencer, approved, verified, agency, vendor
  4: unapproved
  5: admin, superadmin, service
IN-33 their addresses
  sql: select influencers.id, profiles.email from influencers join profiles on profiles.id = influencers.user_id
  request: GET influencers?select=id,profiles!inner(email)
  42501: visitor
  0: new influencer, agency, vendor
  1: unapproved, approved, verified
  5: admin, superadmin, service
IN-33 with visible addresses
  sql: select influencers.*, profiles.email from influencers left join profiles on profiles.id = influencers.user_id
  request: GET influencers?select=*,profiles(email)
  42501: visitor
  3: new influencer, approved, verified, agency, vendor
  4: unapproved
  5: admin, superadmin, service
IN-33 their roles
  sql: select influencers.id, user_roles.role from influencers join user_roles on user_roles.user_id = influencers.user_id
  request: GET influencers?select=id,profiles!inner(user_roles!inner(role))
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-33 with their roles
  request: GET influencers?select=*,user_roles(*)
  /42501: visitor
  /3: new influencer, approved, verified, agency, vendor
  /4: unapproved
  /5: admin, superadmin, service
IN-34 the carousel
  sql: select id, name, username, category, profile_image, instagram_followers, tiktok_followers from influencers limit 4
  request: GET influencers?select=id,name,username,category,profile_image,instagram_followers,tiktok_followers&limit=4
  3: visitor, new influencer, approved, verified, agency, vendor
  4: unapproved, admin, superadmin, service
IN-5 on the table
  sql: select * from app.influencer_private
  0: visitor, new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-8 on the table
  sql: select * from app.influencer_moderation
  0: visitor, new influencer, agency, vendor
  1: unapproved, approved, verified
  5: admin, superadmin, service
IN-1 on the table
  sql: select * from app.influencers
  3: visitor, new influencer, approved, verified, agency, vendor
  4: unapproved
  5: admin, superadmin, service
\.

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (line) from stdin;
IN-10 own
  sql: insert into influencers (user_id, name, username, category) values ({me}, 'N', 'n', 'Tech')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech"}
  42501: visitor, agency, vendor, admin, superadmin
  1: new influencer
  23505: unapproved, approved, verified
IN-10 own, without user_id
  sql: insert into influencers (name, username, category) values ('N', 'n', 'Tech')
  request: POST influencers
  body: {"name": "N", "username": "n", "category": "Tech"}
  42501: visitor, agency, vendor, admin, superadmin
  1: new influencer
  23505: unapproved, approved, verified
IN-10 with the owner's columns
  sql: insert into influencers (user_id, name, username, category, bio, services, content_posts, payment_info, date_of_birth) values ({me}, 'N', 'n', 'Tech', 'B', '[{"title": "Reel"}]', '["https://pictures.example.test/1.jpg"]', '{"payment_method": "paypal"}', '2000-01-01')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "bio": "B", "services": [{"title": "Reel"}], "content_posts": ["https://pictures.example.test/1.jpg"], "payment_info": {"payment_method": "paypal"}, "date_of_birth": "2000-01-01"}
  42501: visitor, agency, vendor, admin, superadmin
  1: new influencer
  23505: unapproved, approved, verified
IN-11 own with approved
  sql: insert into influencers (user_id, name, username, category, approved) values ({me}, 'N', 'n', 'Tech', true)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "approved": true}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-11 for a new one with approved
  sql: insert into influencers (user_id, name, username, category, approved) values ({new influencer}, 'N', 'n', 'Tech', true)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "approved": true}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with verified
  sql: insert into influencers (user_id, name, username, category, verified) values ({me}, 'N', 'n', 'Tech', true)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "verified": true}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with verified
  sql: insert into influencers (user_id, name, username, category, verified) values ({new influencer}, 'N', 'n', 'Tech', true)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "verified": true}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-12 own with badge_type
  sql: insert into influencers (user_id, name, username, category, badge_type) values ({me}, 'N', 'n', 'Tech', 'gold')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with badge_type
  sql: insert into influencers (user_id, name, username, category, badge_type) values ({new influencer}, 'N', 'n', 'Tech', 'gold')
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "badge_type": "gold"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with access_influencer_page
  sql: insert into influencers (user_id, name, username, category, access_influencer_page) values ({me}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with access_influencer_page
  sql: insert into influencers (user_id, name, username, category, access_influencer_page) values ({new influencer}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_influencer_page": false}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with access_agencies_page
  sql: insert into influencers (user_id, name, username, category, access_agencies_page) values ({me}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with access_agencies_page
  sql: insert into influencers (user_id, name, username, category, access_agencies_page) values ({new influencer}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_agencies_page": false}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with access_events_page
  sql: insert into influencers (user_id, name, username, category, access_events_page) values ({me}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with access_events_page
  sql: insert into influencers (user_id, name, username, category, access_events_page) values ({new influencer}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_events_page": false}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with access_gigs_page
  sql: insert into influencers (user_id, name, username, category, access_gigs_page) values ({me}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with access_gigs_page
  sql: insert into influencers (user_id, name, username, category, access_gigs_page) values ({new influencer}, 'N', 'n', 'Tech', false)
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_gigs_page": false}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with subscription_start_date
  sql: insert into influencers (user_id, name, username, category, subscription_start_date) values ({me}, 'N', 'n', 'Tech', '2026-02-01')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "subscription_start_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with subscription_start_date
  sql: insert into influencers (user_id, name, username, category, subscription_start_date) values ({new influencer}, 'N', 'n', 'Tech', '2026-02-01')
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "subscription_start_date": "2026-02-01"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with subscription_end_date
  sql: insert into influencers (user_id, name, username, category, subscription_end_date) values ({me}, 'N', 'n', 'Tech', '2026-02-01')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with subscription_end_date
  sql: insert into influencers (user_id, name, username, category, subscription_end_date) values ({new influencer}, 'N', 'n', 'Tech', '2026-02-01')
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "subscription_end_date": "2026-02-01"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with created_at
  sql: insert into influencers (user_id, name, username, category, created_at) values ({me}, 'N', 'n', 'Tech', '2030-01-01')
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with created_at
  sql: insert into influencers (user_id, name, username, category, created_at) values ({new influencer}, 'N', 'n', 'Tech', '2030-01-01')
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "created_at": "2030-01-01"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-12 own with id
  sql: insert into influencers (user_id, name, username, category, id) values ({me}, 'N', 'n', 'Tech', {another})
  request: POST influencers
  body: {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-12 for a new one with id
  sql: insert into influencers (user_id, name, username, category, id) values ({new influencer}, 'N', 'n', 'Tech', {another})
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "id": "{another}"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-13 for another
  sql: insert into influencers (user_id, name, username, category) values ({new influencer}, 'N', 'n', 'Tech')
  request: POST influencers
  body: {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech"}
  42501: visitor, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-13 for an agency
  sql: insert into influencers (user_id, name, username, category) values ({new agency}, 'N', 'n', 'Tech')
  request: POST influencers
  body: {"user_id": "{new agency}", "name": "N", "username": "n", "category": "Tech"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-13 payment details for another
  sql: insert into app.influencer_private (user_id, payment_info) values ({unpaid}, '{}')
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-13 a moderation row for self
  sql: insert into app.influencer_moderation (user_id, approved) values ({me}, true)
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-30 upsert onto another's
  sql: insert into influencers (user_id, name, username, category) select {other influencer}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{other influencer}", "name": "New", "username": "n", "category": "Tech"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-30 by its id
  sql: insert into influencers (id, name, username, category) select {profile of other influencer}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true)
  request: POST influencers?on_conflict=id ; Prefer: resolution=merge-duplicates
  body: {"id": "{profile of other influencer}", "name": "New", "username": "n", "category": "Tech"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-30 onto an unapproved one
  sql: insert into influencers (user_id, name, username, category) select {other unapproved}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{other unapproved}", "name": "New", "username": "n", "category": "Tech"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-30 onto own
  sql: insert into influencers (user_id, name, username, category) select {me}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{me}", "name": "New", "username": "n", "category": "Tech"}
  42501: visitor, agency, vendor, admin, superadmin
  1: new influencer, unapproved, approved, verified
IN-30 onto own, with a badge
  sql: insert into influencers (user_id, name, username, category, badge_type) select {me}, 'New', 'n', 'Tech', 'platinum' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{me}", "name": "New", "username": "n", "category": "Tech", "badge_type": "platinum"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
\.

-- Editing: by the owner, by others, and by admins. Cells are empty where the profile already has the value (IN-15 approved,
-- IN-16 verified, IN-24 not approved), because sending it again is allowed.
copy act (line) from stdin;
IN-14 own name
  sql: update influencers set name = 'New' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"name": "New"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's name
  sql: update influencers set name = 'New' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own username
  sql: update influencers set username = 'new' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"username": "new"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's username
  sql: update influencers set username = 'new' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"username": "new"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own category
  sql: update influencers set category = 'Tech' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"category": "Tech"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's category
  sql: update influencers set category = 'Tech' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"category": "Tech"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own bio
  sql: update influencers set bio = 'New' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"bio": "New"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-26 another's bio
  sql: update influencers set bio = 'New' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"bio": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own profile_image
  sql: update influencers set profile_image = 'https://pictures.example.test/1.jpg' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"profile_image": "https://pictures.example.test/1.jpg"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's profile_image
  sql: update influencers set profile_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"profile_image": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own cover_image
  sql: update influencers set cover_image = 'https://pictures.example.test/1.jpg' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"cover_image": "https://pictures.example.test/1.jpg"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's cover_image
  sql: update influencers set cover_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"cover_image": "https://pictures.example.test/1.jpg"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own instagram_followers
  sql: update influencers set instagram_followers = '12K' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"instagram_followers": "12K"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's instagram_followers
  sql: update influencers set instagram_followers = '12K' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"instagram_followers": "12K"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own instagram_link
  sql: update influencers set instagram_link = 'https://new.example.test' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"instagram_link": "https://new.example.test"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's instagram_link
  sql: update influencers set instagram_link = 'https://new.example.test' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"instagram_link": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own website_link
  sql: update influencers set website_link = 'https://new.example.test' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"website_link": "https://new.example.test"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's website_link
  sql: update influencers set website_link = 'https://new.example.test' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"website_link": "https://new.example.test"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own age
  sql: update influencers set age = 30 where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"age": 30}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's age
  sql: update influencers set age = 30 where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"age": 30}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own location
  sql: update influencers set location = 'Ipoh' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"location": "Ipoh"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's location
  sql: update influencers set location = 'Ipoh' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"location": "Ipoh"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own language
  sql: update influencers set language = 'Malay' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"language": "Malay"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's language
  sql: update influencers set language = 'Malay' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"language": "Malay"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own ethnicity
  sql: update influencers set ethnicity = 'Malay' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"ethnicity": "Malay"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's ethnicity
  sql: update influencers set ethnicity = 'Malay' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"ethnicity": "Malay"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own height
  sql: update influencers set height = '170 cm' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"height": "170 cm"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's height
  sql: update influencers set height = '170 cm' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"height": "170 cm"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own religion
  sql: update influencers set religion = 'Islam' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"religion": "Islam"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's religion
  sql: update influencers set religion = 'Islam' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"religion": "Islam"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own services
  sql: update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"services": [{"title": "Reel", "price": "RM 5"}]}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's services
  sql: update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"services": [{"title": "Reel", "price": "RM 5"}]}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own content_posts
  sql: update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"content_posts": ["https://pictures.example.test/1.jpg"]}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's content_posts
  sql: update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"content_posts": ["https://pictures.example.test/1.jpg"]}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own payment_info
  sql: update influencers set payment_info = '{"payment_method": "paypal"}' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"payment_info": {"payment_method": "paypal"}}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-26 another's payment_info
  sql: update influencers set payment_info = '{"payment_method": "paypal"}' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"payment_info": {"payment_method": "paypal"}}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-14 own date_of_birth
  sql: update influencers set date_of_birth = '2000-01-01' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"date_of_birth": "2000-01-01"}
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
IN-22 another's date_of_birth
  sql: update influencers set date_of_birth = '2000-01-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"date_of_birth": "2000-01-01"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-22 an unapproved own name
  sql: update influencers set name = 'New' where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"name": "New"}
  42501: visitor, admin, superadmin
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: service
IN-15 approve self
  sql: update influencers set approved = true where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"approved": true}
  42501: visitor, unapproved
  0: new influencer, agency, vendor, admin, superadmin
IN-16 verify self
  sql: update influencers set verified = true where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"verified": true}
  42501: visitor, unapproved, approved
  0: new influencer, agency, vendor, admin, superadmin
IN-17 give self a badge
  sql: update influencers set badge_type = 'platinum' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"badge_type": "platinum"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-18 own access_influencer_page
  sql: update influencers set access_influencer_page = false where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"access_influencer_page": false}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-18 own access_agencies_page
  sql: update influencers set access_agencies_page = false where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"access_agencies_page": false}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-18 own access_events_page
  sql: update influencers set access_events_page = false where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"access_events_page": false}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-18 own access_gigs_page
  sql: update influencers set access_gigs_page = false where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"access_gigs_page": false}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-19 own subscription_start_date
  sql: update influencers set subscription_start_date = '2026-06-01' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-19 own subscription_end_date
  sql: update influencers set subscription_end_date = '2026-06-01' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-15 approve somebody
  sql: update influencers set approved = true where user_id = {unapproved}
  request: PATCH influencers?user_id=eq.{unapproved}
  body: {"approved": true}
  42501: visitor, unapproved
  0: new influencer, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-16 verify somebody
  sql: update influencers set verified = true where user_id = {other influencer}
  request: PATCH influencers?user_id=eq.{other influencer}
  body: {"verified": true}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-16 verified beside a badge
  sql: update influencers set verified = true, badge_type = 'gold' where user_id = {other influencer}
  request: PATCH influencers?user_id=eq.{other influencer}
  body: {"verified": true, "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-17 give somebody a badge
  sql: update influencers set badge_type = 'platinum' where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"badge_type": "platinum"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-18 a verified account's access_influencer_page
  sql: update influencers set access_influencer_page = false where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-18 a verified account's access_agencies_page
  sql: update influencers set access_agencies_page = false where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-18 a verified account's access_events_page
  sql: update influencers set access_events_page = false where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-18 a verified account's access_gigs_page
  sql: update influencers set access_gigs_page = false where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-19 a verified account's subscription_start_date
  sql: update influencers set subscription_start_date = '2026-06-01' where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-19 a verified account's subscription_end_date
  sql: update influencers set subscription_end_date = '2026-06-01' where user_id = {verified}
  request: PATCH influencers?user_id=eq.{verified}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-20 own id
  sql: update influencers set id = {another} where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"id": "{another}"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-20 another's id
  sql: update influencers set id = {another} where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-20 own user_id
  sql: update influencers set user_id = {new influencer} where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"user_id": "{new influencer}"}
  42501: visitor, unapproved, approved, verified
  0: agency, vendor, admin, superadmin
IN-20 another's user_id
  sql: update influencers set user_id = {new influencer} where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"user_id": "{new influencer}"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-20 own created_at
  sql: update influencers set created_at = '2030-01-01' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"created_at": "2030-01-01"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-20 another's created_at
  sql: update influencers set created_at = '2030-01-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-20 a derived number of followers
  sql: update influencers set instagram_followers_count = 1000000 where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"instagram_followers_count": 1000000}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-21 a name and an approval
  sql: update influencers set name = 'Mixed', approved = true where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"name": "Mixed", "approved": true}
  42501: visitor, unapproved
  0: new influencer, agency, vendor, admin, superadmin
IN-21 a name and a badge
  sql: update influencers set name = 'Mixed', badge_type = 'platinum' where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"name": "Mixed", "badge_type": "platinum"}
  42501: visitor, unapproved, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-21 another's name and badge
  sql: update influencers set name = 'Mixed', badge_type = 'platinum' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"name": "Mixed", "badge_type": "platinum"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  1: service
IN-23 approve
  sql: update influencers set approved = true where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"approved": true}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-24 un-approve self
  sql: update influencers set approved = false where user_id = {me}
  request: PATCH influencers?user_id=eq.{me}
  body: {"approved": false}
  42501: visitor, approved, verified
  0: new influencer, agency, vendor, admin, superadmin
IN-24 un-approve
  sql: update influencers set approved = false where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"approved": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  23514: admin, superadmin
  1: service
IN-25 another's badge_type
  sql: update influencers set badge_type = 'platinum' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"badge_type": "platinum"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own badge_type
  sql: update influencers set badge_type = 'platinum' where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"badge_type": "platinum"}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's access_influencer_page
  sql: update influencers set access_influencer_page = false where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own access_influencer_page
  sql: update influencers set access_influencer_page = false where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"access_influencer_page": false}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's access_agencies_page
  sql: update influencers set access_agencies_page = false where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own access_agencies_page
  sql: update influencers set access_agencies_page = false where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"access_agencies_page": false}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's access_events_page
  sql: update influencers set access_events_page = false where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own access_events_page
  sql: update influencers set access_events_page = false where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"access_events_page": false}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's access_gigs_page
  sql: update influencers set access_gigs_page = false where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own access_gigs_page
  sql: update influencers set access_gigs_page = false where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"access_gigs_page": false}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's subscription_start_date
  sql: update influencers set subscription_start_date = '2026-06-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own subscription_start_date
  sql: update influencers set subscription_start_date = '2026-06-01' where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"subscription_start_date": "2026-06-01"}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 another's subscription_end_date
  sql: update influencers set subscription_end_date = '2026-06-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 an unapproved own subscription_end_date
  sql: update influencers set subscription_end_date = '2026-06-01' where id = {profile of other unapproved}
  request: PATCH influencers?id=eq.{profile of other unapproved}
  body: {"subscription_end_date": "2026-06-01"}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 all of them at once
  sql: update influencers set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-25 verified, which follows the badge
  sql: update influencers set verified = true where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"verified": true}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-27 an unknown badge
  sql: update influencers set badge_type = 'diamond' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"badge_type": "diamond"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  23514: admin, superadmin, service
IN-27 an end before the start
  sql: update influencers set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  23514: admin, superadmin, service
IN-27 a date out of range
  sql: update influencers set subscription_end_date = '9999-01-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"subscription_end_date": "9999-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  23514: admin, superadmin, service
IN-27 an end on the day of the start
  sql: update influencers set subscription_start_date = '2026-02-01', subscription_end_date = '2026-02-01' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
\.

-- The specification requires 400 for access_* = "yes", even from admins. In SQL, 'yes' and 'no' are valid booleans; over
-- HTTP, they are not. An invalid boolean is rejected before permissions are checked, where the specification says 403 (401).
copy act (line) from stdin;
IN-27 access that is not a boolean
  sql: update influencers set access_gigs_page = 'perhaps' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_gigs_page": "perhaps"}
  22P02/400: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-27 access as the word no
  sql: update influencers set access_gigs_page = 'no' where id = {profile of other influencer}
  request: PATCH influencers?id=eq.{profile of other influencer}
  body: {"access_gigs_page": "no"}
  42501/400: visitor, new influencer, unapproved, approved, verified, agency, vendor
  1/400: admin, superadmin, service
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (line) from stdin;
IN-28 delete an approved one
  sql: delete from influencers where id = {profile of other influencer}
  request: DELETE influencers?id=eq.{profile of other influencer}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-28 delete an unapproved one
  sql: delete from influencers where id = {profile of other unapproved}
  request: DELETE influencers?id=eq.{profile of other unapproved}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-29 delete self
  sql: delete from influencers where user_id = {me}
  request: DELETE influencers?user_id=eq.{me}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
IN-29 delete somebody
  sql: delete from influencers where user_id = {verified}
  request: DELETE influencers?user_id=eq.{verified}
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  1: admin, superadmin, service
IN-31 edit without a condition
  request: PATCH influencers
  body: {"name": "New"}
  /401: visitor
  /400: new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-31 delete without a condition
  request: DELETE influencers
  /401: visitor
  /400: new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service
IN-31 edit all profiles
  sql: update app.influencers set name = 'New'
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-31 write all payment details
  sql: update app.influencer_private set payment_info = null
  42501: visitor
  0: new influencer, agency, vendor, admin, superadmin
  1: unapproved, approved, verified
  5: service
IN-31 moderate all
  sql: update app.influencer_moderation set badge_type = 'platinum', access_gigs_page = false
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  5: admin, superadmin, service
IN-31 write the mirrored approval
  sql: update app.influencers set approved = true
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  5: service
IN-31 write the mirrored badge
  sql: update app.influencers set badge_type = 'platinum'
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  5: service
IN-31 delete all profiles
  sql: delete from app.influencers
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  5: admin, superadmin, service
IN-31 delete all payment details
  sql: delete from app.influencer_private
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  5: service
IN-31 delete all moderation rows
  sql: delete from app.influencer_moderation
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  5: service
\.

-- Limits and a unique username, as the owner. They apply to the service key, too.
copy act (line) from stdin;
MA-3 a taken username
  sql: update influencers set username = 'approved' where user_id = {verified}
  23505: verified, service
MA-3 in other case
  sql: update influencers set username = 'APPROVED' where user_id = {verified}
  23505: verified, service
MA-3 a free username
  sql: update influencers set username = 'Somebody.Else' where user_id = {verified}
  1: verified, service
MA-4 name of 100
  sql: update influencers set name = repeat('x', 100) where user_id = {verified}
  1: verified, service
MA-4 name of 101
  sql: update influencers set name = repeat('x', 101) where user_id = {verified}
  23514: verified, service
MA-4 username of 50
  sql: update influencers set username = repeat('x', 50) where user_id = {verified}
  1: verified, service
MA-4 username of 51
  sql: update influencers set username = repeat('x', 51) where user_id = {verified}
  23514: verified, service
MA-4 bio of 500
  sql: update influencers set bio = repeat('x', 500) where user_id = {verified}
  1: verified, service
MA-4 bio of 501
  sql: update influencers set bio = repeat('x', 501) where user_id = {verified}
  23514: verified, service
MA-4 location of 100
  sql: update influencers set location = repeat('x', 100) where user_id = {verified}
  1: verified, service
MA-4 location of 101
  sql: update influencers set location = repeat('x', 101) where user_id = {verified}
  23514: verified, service
MA-5 eight photos
  sql: update influencers set content_posts = to_jsonb(array_fill('https://pictures.example.test/1.jpg'::text, array[8])) where user_id = {verified}
  1: verified, service
MA-5 nine photos
  sql: update influencers set content_posts = to_jsonb(array_fill('https://pictures.example.test/1.jpg'::text, array[9])) where user_id = {verified}
  23514: verified, service
MA-6 a link to a script
  sql: update influencers set website_link = 'javascript:alert(1)' where user_id = {verified}
  23514: verified, service
MA-6 a data URL
  sql: update influencers set website_link = 'data:text/html,x' where user_id = {verified}
  23514: verified, service
MA-6 a link to the cloud metadata address
  sql: update influencers set website_link = 'http://169.254.169.254/latest' where user_id = {verified}
  23514: verified, service
MA-6 a link to a loopback address
  sql: update influencers set website_link = 'http://127.0.0.1/' where user_id = {verified}
  23514: verified, service
MA-6 a link of 5 KB
  sql: update influencers set website_link = concat('https://long.example.test/', repeat('x', 5000)) where user_id = {verified}
  23514: verified, service
MA-6 a link to the web
  sql: update influencers set website_link = 'https://web.example.test/me' where user_id = {verified}
  1: verified, service
MA-7 services that are not a list
  sql: update influencers set services = '{}' where user_id = {verified}
  23514: verified, service
MA-7 a service without a title
  sql: update influencers set services = '[{"price": "RM 5"}]' where user_id = {verified}
  23514: verified, service
MA-7 photos that are not a list
  sql: update influencers set content_posts = '{}' where user_id = {verified}
  23514: verified, service
MA-7 a photo that is a number
  sql: update influencers set content_posts = '[7]' where user_id = {verified}
  23514: verified, service
MA-7 payment details that are a list
  sql: update influencers set payment_info = '[]' where user_id = {verified}
  23514: verified, service
MA-7 an unknown key
  sql: update influencers set payment_info = '{"card": "4111"}' where user_id = {verified}
  23514: verified, service
MA-7 1 MB of services
  sql: update influencers set services = jsonb_build_array(jsonb_build_object('title', 'T', 'description', repeat('x', 1000000))) where user_id = {verified}
  23514: verified, service
MA-7 valid services
  sql: update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where user_id = {verified}
  1: verified, service
\.

select * from tests.matrix();

-- Error messages, and unchanged values, which the owner may send again.
select is(tests.refusal('approved', 'update influencers set name = ''Mixed'', approved = false, badge_type = ''gold'' where user_id = auth.uid()'),
  'column "approved" can be changed by admins only', 'IN-21: the error names the column');
select is(tests.refusal('approved', 'update influencers set username = ''VERIFIED'' where user_id = auth.uid()'), 'This username is already taken', 'MA-3: the message');
select tests.become('verified') \gset
select lives_ok($$update influencers set name = 'Renamed', approved = true, badge_type = 'gold', verified = true, access_gigs_page = true,
  id = id, user_id = user_id, created_at = created_at where user_id = auth.uid()$$, 'unchanged values may be sent');
select is((select name || ', ' || approved from influencers where user_id = auth.uid()), 'Renamed, true', 'MA-2: still approved after an edit');
reset role;

-- A new profile has no approval and no badge. An approval takes effect immediately.
select tests.become('new influencer') \gset
select results_eq($$insert into influencers (name, username, category) values ('N', 'new.one', 'Tech')
  returning user_id, approved, verified, badge_type, access_gigs_page$$,
  format('values (%L::uuid, false, false, ''none'', true)', tests.id('new influencer')), 'IN-10: the initial values');
select tests.become('admin') \gset
select results_eq(format($$update influencers set approved = true, badge_type = 'blue' where user_id = %L returning approved, verified$$, tests.id('new influencer')),
  'values (true, true)', 'IN-23: approved by an admin');
select tests.become('visitor') \gset
select is((select username from influencers where user_id = tests.id('new influencer')), 'new.one', 'IN-34: it is public afterwards');
reset role;

-- With the service key, a profile can be added with all columns, including those for admins.
insert into auth.users (email, raw_user_meta_data) values ('moved@example.test', '{"user_type": "influencer"}');
select tests.become('service') \gset
select results_eq($$insert into influencers (user_id, name, username, category, approved, badge_type, access_gigs_page)
  select id, 'Moved', 'moved', 'Tech', true, 'gold', false from profiles where email = 'moved@example.test' returning approved, verified, badge_type, access_gigs_page$$,
  $$values (true, true, 'gold', false)$$, 'IN-10: with the service key');
select results_eq($$update influencers set verified = false, badge_type = 'none' where username = 'moved' returning verified, badge_type$$, $$values (false, 'none')$$, 'IN-10: no badge, not verified');
select tests.step_down() \gset
delete from app.influencers where username = 'moved';
select tests.become('service') \gset
select results_eq($$insert into influencers (user_id, name, username, category, verified)
  select id, 'Moved', 'moved', 'Tech', false from profiles where email = 'moved@example.test' returning verified, badge_type$$,
  $$values (false, 'none')$$, 'IN-10: with the service key, without a badge');
reset role;

-- Deleting a profile doesn't delete the account.
select tests.become('admin') \gset
delete from influencers where id = tests.id('profile of approved');
reset role;
select is((select string_agg(role, ', ') from app.user_roles where user_id = tests.id('approved')), 'influencer', 'MA-14: the account and its role remain');
select is_empty(format('select from app.favorites where influencer_id = %L', tests.id('profile of approved')), 'MA-14: its favorites are deleted');

-- Removing a role takes effect immediately.
delete from app.user_roles where user_id in (tests.id('admin'), tests.id('verified'));
select tests.cell('UR-17 approve after the role was removed', 'admin', 'update influencers set approved = true where username = ''unapproved''', '0');
select tests.cell('UR-17 edit after the role was removed', 'verified', 'update influencers set name = ''x'' where user_id = auth.uid()', '0');
select tests.cell('UR-17 edit payment details after the role was removed', 'verified', 'update app.influencer_private set payment_info = null where user_id = auth.uid()', '0');
\ir ../finish.sql
