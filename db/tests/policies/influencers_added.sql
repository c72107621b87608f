-- Section 3 of the permission matrix: adding a profile, and its limits.
\ir ../setup.sql
select tests.people() \gset

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
  sql: insert into app.moderation (user_id, kind, approved) values ({me}, 'influencer', true)
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
\ir ../finish.sql
