-- Section 4 of the permission matrix: adding an agency, and its limits.
\ir ../setup.sql
select tests.people() \gset

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (line) from stdin;
AG-3 own
  sql: insert into agencies (user_id, name, email) values ({me}, 'N', 'n@example.test')
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, admin, superadmin
  1: new agency
  23505: agency, other agency
AG-3 own, without user_id
  sql: insert into agencies (name, email) values ('N', 'n@example.test')
  request: POST agencies
  body: {"name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, admin, superadmin
  1: new agency
  23505: agency, other agency
AG-3 for a new agency
  sql: insert into agencies (user_id, name, email) values ({new agency}, 'N', 'n@example.test')
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-3 for an influencer
  sql: insert into agencies (user_id, name, email) values ({new influencer}, 'N', 'n@example.test')
  request: POST agencies
  body: {"user_id": "{new influencer}", "name": "N", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
  1: service
AG-3 a moderation row for self
  sql: insert into app.moderation (user_id, kind, badge_type) values ({me}, 'agency', 'gold')
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-3 upsert onto another's
  sql: insert into agencies (user_id, name, email) select {agency}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST agencies?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{agency}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, other agency, vendor, admin, superadmin
  1: agency, service
AG-3 upsert onto another's by its id
  sql: insert into agencies (id, name, email) select {profile of agency}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true)
  request: POST agencies?on_conflict=id ; Prefer: resolution=merge-duplicates
  body: {"id": "{profile of agency}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, other agency, vendor, admin, superadmin
  1: agency, service
AG-3 upsert onto own
  sql: insert into agencies (user_id, name, email) select {me}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true)
  request: POST agencies?on_conflict=user_id ; Prefer: resolution=merge-duplicates
  body: {"user_id": "{me}", "name": "New", "email": "n@example.test"}
  42501: visitor, new influencer, unapproved, approved, verified, vendor, admin, superadmin
  1: new agency, agency, other agency
AG-4 own with badge_type
  sql: insert into agencies (user_id, name, email, badge_type) values ({me}, 'N', 'n@example.test', 'gold')
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with badge_type
  sql: insert into agencies (user_id, name, email, badge_type) values ({new agency}, 'N', 'n@example.test', 'gold')
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "badge_type": "gold"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with access_influencer_page
  sql: insert into agencies (user_id, name, email, access_influencer_page) values ({me}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with access_influencer_page
  sql: insert into agencies (user_id, name, email, access_influencer_page) values ({new agency}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_influencer_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with access_agencies_page
  sql: insert into agencies (user_id, name, email, access_agencies_page) values ({me}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with access_agencies_page
  sql: insert into agencies (user_id, name, email, access_agencies_page) values ({new agency}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_agencies_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with access_events_page
  sql: insert into agencies (user_id, name, email, access_events_page) values ({me}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with access_events_page
  sql: insert into agencies (user_id, name, email, access_events_page) values ({new agency}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_events_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with access_gigs_page
  sql: insert into agencies (user_id, name, email, access_gigs_page) values ({me}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with access_gigs_page
  sql: insert into agencies (user_id, name, email, access_gigs_page) values ({new agency}, 'N', 'n@example.test', false)
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_gigs_page": false}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with subscription_start_date
  sql: insert into agencies (user_id, name, email, subscription_start_date) values ({me}, 'N', 'n@example.test', '2026-02-01')
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with subscription_start_date
  sql: insert into agencies (user_id, name, email, subscription_start_date) values ({new agency}, 'N', 'n@example.test', '2026-02-01')
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with subscription_end_date
  sql: insert into agencies (user_id, name, email, subscription_end_date) values ({me}, 'N', 'n@example.test', '2026-02-01')
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with subscription_end_date
  sql: insert into agencies (user_id, name, email, subscription_end_date) values ({new agency}, 'N', 'n@example.test', '2026-02-01')
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with created_at
  sql: insert into agencies (user_id, name, email, created_at) values ({me}, 'N', 'n@example.test', '2030-01-01')
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with created_at
  sql: insert into agencies (user_id, name, email, created_at) values ({new agency}, 'N', 'n@example.test', '2030-01-01')
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
AG-4 own with id
  sql: insert into agencies (user_id, name, email, id) values ({me}, 'N', 'n@example.test', {another})
  request: POST agencies
  body: {"user_id": "{me}", "name": "N", "email": "n@example.test", "id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, new agency, agency, other agency, vendor, admin, superadmin
AG-4 for a new one with id
  sql: insert into agencies (user_id, name, email, id) values ({new agency}, 'N', 'n@example.test', {another})
  request: POST agencies
  body: {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "id": "{another}"}
  42501: visitor, new influencer, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
\.

-- Limits, as the owner. They apply to the service key, too.
copy act (line) from stdin;
MA-4 name of 100
  sql: update agencies set name = repeat('x', 100) where user_id = {agency}
  1: agency, service
MA-4 name of 101
  sql: update agencies set name = repeat('x', 101) where user_id = {agency}
  23514: agency, service
MA-4 phone of 20
  sql: update agencies set phone = repeat('x', 20) where user_id = {agency}
  1: agency, service
MA-4 phone of 21
  sql: update agencies set phone = repeat('x', 21) where user_id = {agency}
  23514: agency, service
MA-4 company_name of 100
  sql: update agencies set company_name = repeat('x', 100) where user_id = {agency}
  1: agency, service
MA-4 company_name of 101
  sql: update agencies set company_name = repeat('x', 101) where user_id = {agency}
  23514: agency, service
MA-4 description of 500
  sql: update agencies set description = repeat('x', 500) where user_id = {agency}
  1: agency, service
MA-4 description of 501
  sql: update agencies set description = repeat('x', 501) where user_id = {agency}
  23514: agency, service
MA-4 location of 100
  sql: update agencies set location = repeat('x', 100) where user_id = {agency}
  1: agency, service
MA-4 location of 101
  sql: update agencies set location = repeat('x', 101) where user_id = {agency}
  23514: agency, service
MA-4 an unknown type
  sql: update agencies set type = 'Catering' where user_id = {agency}
  23514: agency, service
MA-6 a link to a script
  sql: update agencies set website = 'javascript:alert(1)' where user_id = {agency}
  23514: agency, service
MA-6 a link to the web
  sql: update agencies set website = 'https://web.example.test' where user_id = {agency}
  1: agency, service
MA-6 a picture with a script URL
  sql: update agencies set logo_url = 'javascript:alert(1)' where user_id = {agency}
  23514: agency, service
\.

select * from tests.matrix();
\ir ../finish.sql
