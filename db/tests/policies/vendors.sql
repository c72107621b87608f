-- Section 5 of the permission matrix: vendors.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Two vendors exist.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, vendor, other_vendor, agency, admin, superadmin, service) from stdin with (delimiter '|');
VE-1 all | select * from vendors order by created_at desc | GET vendors?select=*&order=created_at.desc | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
VE-1 one | select * from vendors where id = {profile of vendor} | GET vendors?id=eq.{profile of vendor} | | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
VE-1 how to reach them | select email, phone from vendors where email is not null | GET vendors?select=email,phone&email=not.is.null | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
VE-1 badges | select badge_type from vendors where badge_type = 'none' | GET vendors?select=badge_type&badge_type=eq.none | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
VE-1 by the account | select name from vendors where user_id = {me} | GET vendors?select=name&user_id=eq.{me} | | | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
VE-2 access_influencer_page | select access_influencer_page from vendors where id = {profile of vendor} and access_influencer_page is not null | GET vendors?select=access_influencer_page&id=eq.{profile of vendor}&access_influencer_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 access_agencies_page | select access_agencies_page from vendors where id = {profile of vendor} and access_agencies_page is not null | GET vendors?select=access_agencies_page&id=eq.{profile of vendor}&access_agencies_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 access_events_page | select access_events_page from vendors where id = {profile of vendor} and access_events_page is not null | GET vendors?select=access_events_page&id=eq.{profile of vendor}&access_events_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 access_gigs_page | select access_gigs_page from vendors where id = {profile of vendor} and access_gigs_page is not null | GET vendors?select=access_gigs_page&id=eq.{profile of vendor}&access_gigs_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 subscription_start_date | select subscription_start_date from vendors where id = {profile of vendor} and subscription_start_date is not null | GET vendors?select=subscription_start_date&id=eq.{profile of vendor}&subscription_start_date=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 subscription_end_date | select subscription_end_date from vendors where id = {profile of vendor} and subscription_end_date is not null | GET vendors?select=subscription_end_date&id=eq.{profile of vendor}&subscription_end_date=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
VE-2 filter by access | select * from vendors where access_gigs_page | GET vendors?access_gigs_page=is.true | | 0 | 0 | 0 | 0 | 1 | 1 | 0 | 2 | 2 | 2
VE-2 on the table | select * from app.vendor_moderation | | | 0 | 0 | 0 | 0 | 1 | 1 | 0 | 2 | 2 | 2
VE-1 counted | select * from vendors | HEAD vendors ; Prefer: count=exact | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
\.

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, new_vendor, vendor, other_vendor, agency, admin, superadmin, service) from stdin with (delimiter '|');
VE-3 own | insert into vendors (user_id, name, email) values ({me}, 'N', 'n@example.test') | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 23505 | 23505 | 42501 | 42501 | 42501 |
VE-3 own, without user_id | insert into vendors (name, email) values ('N', 'n@example.test') | POST vendors | {"name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 23505 | 23505 | 42501 | 42501 | 42501 |
VE-3 for a new vendor | insert into vendors (user_id, name, email) values ({new vendor}, 'N', 'n@example.test') | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-3 for an influencer | insert into vendors (user_id, name, email) values ({new influencer}, 'N', 'n@example.test') | POST vendors | {"user_id": "{new influencer}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-3 a moderation row for self | insert into app.vendor_moderation (user_id, badge_type) values ({me}, 'gold') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-3 upsert onto another's | insert into vendors (user_id, name, email) select {vendor}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST vendors?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{vendor}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 1
VE-3 upsert onto another's by its id | insert into vendors (id, name, email) select {profile of vendor}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true) | POST vendors?on_conflict=id ; Prefer: resolution=merge-duplicates | {"id": "{profile of vendor}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 1
VE-3 upsert onto own | insert into vendors (user_id, name, email) select {me}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST vendors?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{me}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1 | 42501 | 42501 | 42501 |
VE-4 own with badge_type | insert into vendors (user_id, name, email, badge_type) values ({me}, 'N', 'n@example.test', 'gold') | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with badge_type | insert into vendors (user_id, name, email, badge_type) values ({new vendor}, 'N', 'n@example.test', 'gold') | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with access_influencer_page | insert into vendors (user_id, name, email, access_influencer_page) values ({me}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with access_influencer_page | insert into vendors (user_id, name, email, access_influencer_page) values ({new vendor}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with access_agencies_page | insert into vendors (user_id, name, email, access_agencies_page) values ({me}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with access_agencies_page | insert into vendors (user_id, name, email, access_agencies_page) values ({new vendor}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with access_events_page | insert into vendors (user_id, name, email, access_events_page) values ({me}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with access_events_page | insert into vendors (user_id, name, email, access_events_page) values ({new vendor}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with access_gigs_page | insert into vendors (user_id, name, email, access_gigs_page) values ({me}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with access_gigs_page | insert into vendors (user_id, name, email, access_gigs_page) values ({new vendor}, 'N', 'n@example.test', false) | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with subscription_start_date | insert into vendors (user_id, name, email, subscription_start_date) values ({me}, 'N', 'n@example.test', '2026-02-01') | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with subscription_start_date | insert into vendors (user_id, name, email, subscription_start_date) values ({new vendor}, 'N', 'n@example.test', '2026-02-01') | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with subscription_end_date | insert into vendors (user_id, name, email, subscription_end_date) values ({me}, 'N', 'n@example.test', '2026-02-01') | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with subscription_end_date | insert into vendors (user_id, name, email, subscription_end_date) values ({new vendor}, 'N', 'n@example.test', '2026-02-01') | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with created_at | insert into vendors (user_id, name, email, created_at) values ({me}, 'N', 'n@example.test', '2030-01-01') | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with created_at | insert into vendors (user_id, name, email, created_at) values ({new vendor}, 'N', 'n@example.test', '2030-01-01') | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-4 own with id | insert into vendors (user_id, name, email, id) values ({me}, 'N', 'n@example.test', {another}) | POST vendors | {"user_id": "{me}", "name": "N", "email": "n@example.test", "id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
VE-4 for a new one with id | insert into vendors (user_id, name, email, id) values ({new vendor}, 'N', 'n@example.test', {another}) | POST vendors | {"user_id": "{new vendor}", "name": "N", "email": "n@example.test", "id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

-- Editing: by the owner, by others, and by admins.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, vendor, other_vendor, agency, admin, superadmin, service) from stdin with (delimiter '|');
VE-5 name | update vendors set name = 'New' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"name": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 email | update vendors set email = 'new@example.test' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"email": "new@example.test"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 company_name | update vendors set company_name = 'New' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"company_name": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 phone | update vendors set phone = '+60 12' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"phone": "+60 12"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 website | update vendors set website = 'https://new.example.test' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"website": "https://new.example.test"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 description | update vendors set description = 'New' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"description": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 location | update vendors set location = 'Ipoh' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"location": "Ipoh"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 type | update vendors set type = 'Catering' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"type": "Catering"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 logo_url | update vendors set logo_url = 'https://pictures.example.test/1.jpg' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"logo_url": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
VE-5 by the account | update vendors set name = 'New' where user_id = {me} | PATCH vendors?user_id=eq.{me} | {"name": "New"} | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
VE-6 badge_type | update vendors set badge_type = 'platinum' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 access_influencer_page | update vendors set access_influencer_page = false where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 access_agencies_page | update vendors set access_agencies_page = false where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 access_events_page | update vendors set access_events_page = false where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 access_gigs_page | update vendors set access_gigs_page = false where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 subscription_start_date | update vendors set subscription_start_date = '2026-06-01' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"subscription_start_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 subscription_end_date | update vendors set subscription_end_date = '2026-06-01' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 all of them at once | update vendors set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
VE-6 a name and a badge | update vendors set name = 'Mixed', badge_type = 'gold' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"name": "Mixed", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-6 an unknown badge | update vendors set badge_type = 'diamond' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"badge_type": "diamond"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
VE-6 an end before the start | update vendors set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
VE-6 a date out of range | update vendors set subscription_start_date = '9999-01-01' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"subscription_start_date": "9999-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
VE-7 id | update vendors set id = {another} where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-7 user_id | update vendors set user_id = {new vendor} where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"user_id": "{new vendor}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
VE-7 created_at | update vendors set created_at = '2030-01-01' where id = {profile of vendor} | PATCH vendors?id=eq.{profile of vendor} | {"created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, vendor, other_vendor, agency, admin, superadmin, service) from stdin with (delimiter '|');
VE-8 delete | delete from vendors where id = {profile of vendor} | DELETE vendors?id=eq.{profile of vendor} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
VE-8 delete by the account | delete from vendors where user_id = {me} | DELETE vendors?user_id=eq.{me} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
VE-8 delete without a condition | | DELETE vendors | | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
VE-8 edit without a condition | | PATCH vendors | {"name": "New"} | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
VE-8 delete all profiles | delete from app.vendors | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 2 | 2
VE-8 edit all profiles | update app.vendors set name = 'New' | | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 2
VE-8 moderate all | update app.vendor_moderation set badge_type = 'gold', access_gigs_page = false | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 2 | 2
VE-8 write the mirrored badge | update app.vendors set badge_type = 'gold' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
VE-8 delete all moderation rows | delete from app.vendor_moderation | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
\.

-- Limits, as the owner. They apply to the service key, too.
copy act (id, sql, request, body, vendor, service) from stdin with (delimiter '|');
MA-4 name of 100 | update vendors set name = repeat('x', 100) where user_id = {vendor} | | | 1 | 1
MA-4 name of 101 | update vendors set name = repeat('x', 101) where user_id = {vendor} | | | 23514 | 23514
MA-4 phone of 20 | update vendors set phone = repeat('x', 20) where user_id = {vendor} | | | 1 | 1
MA-4 phone of 21 | update vendors set phone = repeat('x', 21) where user_id = {vendor} | | | 23514 | 23514
MA-4 company_name of 100 | update vendors set company_name = repeat('x', 100) where user_id = {vendor} | | | 1 | 1
MA-4 company_name of 101 | update vendors set company_name = repeat('x', 101) where user_id = {vendor} | | | 23514 | 23514
MA-4 description of 500 | update vendors set description = repeat('x', 500) where user_id = {vendor} | | | 1 | 1
MA-4 description of 501 | update vendors set description = repeat('x', 501) where user_id = {vendor} | | | 23514 | 23514
MA-4 location of 100 | update vendors set location = repeat('x', 100) where user_id = {vendor} | | | 1 | 1
MA-4 location of 101 | update vendors set location = repeat('x', 101) where user_id = {vendor} | | | 23514 | 23514
MA-4 a type of 51 | update vendors set type = repeat('x', 51) where user_id = {vendor} | | | 23514 | 23514
MA-6 a link to a script | update vendors set website = 'javascript:alert(1)' where user_id = {vendor} | | | 23514 | 23514
MA-6 a link to the web | update vendors set website = 'https://web.example.test' where user_id = {vendor} | | | 1 | 1
MA-6 a picture with a script URL | update vendors set logo_url = 'javascript:alert(1)' where user_id = {vendor} | | | 23514 | 23514
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
