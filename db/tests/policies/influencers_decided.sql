-- Section 3 of the permission matrix: what is not the owner's to edit, and what admins decide.
\ir ../setup.sql
select tests.people() \gset

-- People are left out where the profile already has the value (IN-15 approved, IN-16 verified), because sending it again is
-- allowed.
copy act (line) from stdin;
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

select * from tests.matrix();
\ir ../finish.sql
