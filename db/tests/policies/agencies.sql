-- Section 4 of the permission matrix: agencies.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Two agencies exist.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
AG-1 all | select * from agencies order by created_at desc | GET agencies?select=*&order=created_at.desc | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
AG-1 one | select * from agencies where id = {profile of agency} | GET agencies?id=eq.{profile of agency} | | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
AG-1 how to reach them | select email, phone from agencies where email is not null | GET agencies?select=email,phone&email=not.is.null | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
AG-1 badges | select badge_type from agencies where badge_type = 'none' | GET agencies?select=badge_type&badge_type=eq.none | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
AG-1 by the account | select name from agencies where user_id = {me} | GET agencies?select=name&user_id=eq.{me} | | | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
AG-2 access_influencer_page | select access_influencer_page from agencies where id = {profile of agency} and access_influencer_page is not null | GET agencies?select=access_influencer_page&id=eq.{profile of agency}&access_influencer_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 access_agencies_page | select access_agencies_page from agencies where id = {profile of agency} and access_agencies_page is not null | GET agencies?select=access_agencies_page&id=eq.{profile of agency}&access_agencies_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 access_events_page | select access_events_page from agencies where id = {profile of agency} and access_events_page is not null | GET agencies?select=access_events_page&id=eq.{profile of agency}&access_events_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 access_gigs_page | select access_gigs_page from agencies where id = {profile of agency} and access_gigs_page is not null | GET agencies?select=access_gigs_page&id=eq.{profile of agency}&access_gigs_page=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 subscription_start_date | select subscription_start_date from agencies where id = {profile of agency} and subscription_start_date is not null | GET agencies?select=subscription_start_date&id=eq.{profile of agency}&subscription_start_date=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 subscription_end_date | select subscription_end_date from agencies where id = {profile of agency} and subscription_end_date is not null | GET agencies?select=subscription_end_date&id=eq.{profile of agency}&subscription_end_date=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1
AG-2 filter by access | select * from agencies where access_gigs_page | GET agencies?access_gigs_page=is.true | | 0 | 0 | 0 | 0 | 1 | 1 | 0 | 2 | 2 | 2
AG-2 on the table | select * from app.agency_moderation | | | 0 | 0 | 0 | 0 | 1 | 1 | 0 | 2 | 2 | 2
AG-1 counted | select * from agencies | HEAD agencies ; Prefer: count=exact | | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
\.

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, new_agency, agency, other_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
AG-3 own | insert into agencies (user_id, name, email) values ({me}, 'N', 'n@example.test') | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 23505 | 23505 | 42501 | 42501 | 42501 |
AG-3 own, without user_id | insert into agencies (name, email) values ('N', 'n@example.test') | POST agencies | {"name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 23505 | 23505 | 42501 | 42501 | 42501 |
AG-3 for a new agency | insert into agencies (user_id, name, email) values ({new agency}, 'N', 'n@example.test') | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-3 for an influencer | insert into agencies (user_id, name, email) values ({new influencer}, 'N', 'n@example.test') | POST agencies | {"user_id": "{new influencer}", "name": "N", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-3 a moderation row for self | insert into app.agency_moderation (user_id, badge_type) values ({me}, 'gold') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-3 upsert onto another's | insert into agencies (user_id, name, email) select {agency}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST agencies?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{agency}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 1
AG-3 upsert onto another's by its id | insert into agencies (id, name, email) select {profile of agency}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true) | POST agencies?on_conflict=id ; Prefer: resolution=merge-duplicates | {"id": "{profile of agency}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 1
AG-3 upsert onto own | insert into agencies (user_id, name, email) select {me}, 'New', 'n@example.test' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST agencies?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{me}", "name": "New", "email": "n@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1 | 42501 | 42501 | 42501 |
AG-4 own with badge_type | insert into agencies (user_id, name, email, badge_type) values ({me}, 'N', 'n@example.test', 'gold') | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with badge_type | insert into agencies (user_id, name, email, badge_type) values ({new agency}, 'N', 'n@example.test', 'gold') | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with access_influencer_page | insert into agencies (user_id, name, email, access_influencer_page) values ({me}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with access_influencer_page | insert into agencies (user_id, name, email, access_influencer_page) values ({new agency}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with access_agencies_page | insert into agencies (user_id, name, email, access_agencies_page) values ({me}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with access_agencies_page | insert into agencies (user_id, name, email, access_agencies_page) values ({new agency}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with access_events_page | insert into agencies (user_id, name, email, access_events_page) values ({me}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with access_events_page | insert into agencies (user_id, name, email, access_events_page) values ({new agency}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with access_gigs_page | insert into agencies (user_id, name, email, access_gigs_page) values ({me}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with access_gigs_page | insert into agencies (user_id, name, email, access_gigs_page) values ({new agency}, 'N', 'n@example.test', false) | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with subscription_start_date | insert into agencies (user_id, name, email, subscription_start_date) values ({me}, 'N', 'n@example.test', '2026-02-01') | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with subscription_start_date | insert into agencies (user_id, name, email, subscription_start_date) values ({new agency}, 'N', 'n@example.test', '2026-02-01') | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "subscription_start_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with subscription_end_date | insert into agencies (user_id, name, email, subscription_end_date) values ({me}, 'N', 'n@example.test', '2026-02-01') | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with subscription_end_date | insert into agencies (user_id, name, email, subscription_end_date) values ({new agency}, 'N', 'n@example.test', '2026-02-01') | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with created_at | insert into agencies (user_id, name, email, created_at) values ({me}, 'N', 'n@example.test', '2030-01-01') | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with created_at | insert into agencies (user_id, name, email, created_at) values ({new agency}, 'N', 'n@example.test', '2030-01-01') | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-4 own with id | insert into agencies (user_id, name, email, id) values ({me}, 'N', 'n@example.test', {another}) | POST agencies | {"user_id": "{me}", "name": "N", "email": "n@example.test", "id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AG-4 for a new one with id | insert into agencies (user_id, name, email, id) values ({new agency}, 'N', 'n@example.test', {another}) | POST agencies | {"user_id": "{new agency}", "name": "N", "email": "n@example.test", "id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

-- Editing: by the owner, by others, and by admins.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
AG-5 name | update agencies set name = 'New' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"name": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 email | update agencies set email = 'new@example.test' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"email": "new@example.test"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 company_name | update agencies set company_name = 'New' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"company_name": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 phone | update agencies set phone = '+60 12' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"phone": "+60 12"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 website | update agencies set website = 'https://new.example.test' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"website": "https://new.example.test"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 description | update agencies set description = 'New' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"description": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 location | update agencies set location = 'Ipoh' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"location": "Ipoh"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 type | update agencies set type = 'PR' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"type": "PR"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 contracts_enabled | update agencies set contracts_enabled = true where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"contracts_enabled": true} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 logo_url | update agencies set logo_url = 'https://pictures.example.test/1.jpg' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"logo_url": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 banner_url | update agencies set banner_url = 'https://pictures.example.test/1.jpg' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"banner_url": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 gallery | update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 42501 | 42501 | 1
AG-5 by the account | update agencies set name = 'New' where user_id = {me} | PATCH agencies?user_id=eq.{me} | {"name": "New"} | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 |
AG-6 badge_type | update agencies set badge_type = 'platinum' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 access_influencer_page | update agencies set access_influencer_page = false where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 access_agencies_page | update agencies set access_agencies_page = false where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 access_events_page | update agencies set access_events_page = false where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 access_gigs_page | update agencies set access_gigs_page = false where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 subscription_start_date | update agencies set subscription_start_date = '2026-06-01' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"subscription_start_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 subscription_end_date | update agencies set subscription_end_date = '2026-06-01' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 all of them at once | update agencies set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
AG-6 a name and a badge | update agencies set name = 'Mixed', badge_type = 'gold' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"name": "Mixed", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-6 an unknown badge | update agencies set badge_type = 'diamond' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"badge_type": "diamond"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
AG-6 an end before the start | update agencies set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
AG-6 a date out of range | update agencies set subscription_start_date = '9999-01-01' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"subscription_start_date": "9999-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
AG-7 id | update agencies set id = {another} where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-7 user_id | update agencies set user_id = {new agency} where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"user_id": "{new agency}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AG-7 created_at | update agencies set created_at = '2030-01-01' where id = {profile of agency} | PATCH agencies?id=eq.{profile of agency} | {"created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

-- The gallery.
copy act (id, sql, request, body, visitor, agency, service) from stdin with (delimiter '|');
AG-8 a gallery of eight | update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where user_id = {agency} | PATCH agencies?user_id=eq.{agency} | {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]} | 42501 | 1 | 1
AG-8 a gallery of nine | update agencies set gallery = array['https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg', 'https://pictures.example.test/1.jpg'] where user_id = {agency} | PATCH agencies?user_id=eq.{agency} | {"gallery": ["https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg", "https://pictures.example.test/1.jpg"]} | 42501 | 23514 | 23514
AG-8 a gallery with a script in it | update agencies set gallery = array['javascript:alert(1)'] where user_id = {agency} | PATCH agencies?user_id=eq.{agency} | {"gallery": ["javascript:alert(1)"]} | 42501 | 23514 | 23514
AG-8 a gallery with a hole | update agencies set gallery = array[null] where user_id = {agency} | PATCH agencies?user_id=eq.{agency} | {"gallery": [null]} | 42501 | 23514 | 23514
AG-8 no list | update agencies set gallery = 'one' where user_id = {agency} | PATCH agencies?user_id=eq.{agency} | {"gallery": "X"} | 22P02/401 | 22P02 | 22P02
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
AG-9 delete | delete from agencies where id = {profile of agency} | DELETE agencies?id=eq.{profile of agency} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
AG-9 delete by the account | delete from agencies where user_id = {me} | DELETE agencies?user_id=eq.{me} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
AG-10 delete without a condition | | DELETE agencies | | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
AG-10 edit without a condition | | PATCH agencies | {"name": "New"} | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
AG-10 delete all profiles | delete from app.agencies | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 2 | 2
AG-10 edit all profiles | update app.agencies set name = 'New' | | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 2
AG-10 moderate all | update app.agency_moderation set badge_type = 'gold', access_gigs_page = false | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 2 | 2 | 2
AG-10 write the mirrored badge | update app.agencies set badge_type = 'gold' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
AG-10 delete all moderation rows | delete from app.agency_moderation | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
\.

-- Limits, as the owner. They apply to the service key, too.
copy act (id, sql, request, body, agency, service) from stdin with (delimiter '|');
MA-4 name of 100 | update agencies set name = repeat('x', 100) where user_id = {agency} | | | 1 | 1
MA-4 name of 101 | update agencies set name = repeat('x', 101) where user_id = {agency} | | | 23514 | 23514
MA-4 phone of 20 | update agencies set phone = repeat('x', 20) where user_id = {agency} | | | 1 | 1
MA-4 phone of 21 | update agencies set phone = repeat('x', 21) where user_id = {agency} | | | 23514 | 23514
MA-4 company_name of 100 | update agencies set company_name = repeat('x', 100) where user_id = {agency} | | | 1 | 1
MA-4 company_name of 101 | update agencies set company_name = repeat('x', 101) where user_id = {agency} | | | 23514 | 23514
MA-4 description of 500 | update agencies set description = repeat('x', 500) where user_id = {agency} | | | 1 | 1
MA-4 description of 501 | update agencies set description = repeat('x', 501) where user_id = {agency} | | | 23514 | 23514
MA-4 location of 100 | update agencies set location = repeat('x', 100) where user_id = {agency} | | | 1 | 1
MA-4 location of 101 | update agencies set location = repeat('x', 101) where user_id = {agency} | | | 23514 | 23514
MA-4 an unknown type | update agencies set type = 'Catering' where user_id = {agency} | | | 23514 | 23514
MA-6 a link to a script | update agencies set website = 'javascript:alert(1)' where user_id = {agency} | | | 23514 | 23514
MA-6 a link to the web | update agencies set website = 'https://web.example.test' where user_id = {agency} | | | 1 | 1
MA-6 a picture with a script URL | update agencies set logo_url = 'javascript:alert(1)' where user_id = {agency} | | | 23514 | 23514
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
