-- Section 3 of the permission matrix: influencers.
\ir ../setup.sql
select tests.people() \gset

-- Reading. Five influencers have a profile, and three of them are approved. IN-34: unapproved influencers also see their own
-- profile in the carousel, as in IN-1 (the specification says public rows only).
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
IN-1 all | select * from influencers order by created_at desc | GET influencers?select=*&order=created_at.desc | | 3 | 3 | 4 | 3 | 3 | 3 | 3 | 5 | 5 | 5
IN-1 the unapproved among them | select * from influencers where not approved | GET influencers?approved=is.false | | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 2 | 2 | 2
IN-2 an approved one | select * from influencers where id = {profile of other influencer} | GET influencers?id=eq.{profile of other influencer} | | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
IN-2 own by its id | select * from influencers where id = {my profile} | GET influencers?id=eq.{my profile} | | | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-3 an unapproved one | select * from influencers where id = {profile of other unapproved} | GET influencers?id=eq.{profile of other unapproved} | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-3 by its account | select * from influencers where user_id = {other unapproved} | GET influencers?user_id=eq.{other unapproved} | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-3 by its name | select * from influencers where username = 'other.unapproved' | GET influencers?username=eq.other.unapproved | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-4 own private columns | select * from influencers where user_id = {me} and payment_info is not null and date_of_birth is not null | GET influencers?user_id=eq.{me}&payment_info=not.is.null&date_of_birth=not.is.null | | | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-4 a verified account's private columns | select * from influencers where user_id = {verified} and payment_info is not null | GET influencers?user_id=eq.{verified}&payment_info=not.is.null | | 0 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 1
IN-5 another's payment_info | select * from influencers where id = {profile of other influencer} and payment_info is not null | GET influencers?id=eq.{profile of other influencer}&payment_info=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1
IN-5 by name, everybody's payment_info | select payment_info from influencers where payment_info is not null | GET influencers?select=payment_info&payment_info=not.is.null | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-5 another's date_of_birth | select * from influencers where id = {profile of other influencer} and date_of_birth is not null | GET influencers?id=eq.{profile of other influencer}&date_of_birth=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1
IN-5 by name, everybody's date_of_birth | select date_of_birth from influencers where date_of_birth is not null | GET influencers?select=date_of_birth&date_of_birth=not.is.null | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-6 filter by account number | select id from influencers where payment_info ->> 'account_number' = {account of other influencer} | GET influencers?select=id&payment_info->>account_number=eq.{account of other influencer} | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1
IN-6 filter by payment method | select id from influencers where payment_info ->> 'payment_method' = 'bank' | GET influencers?select=id&payment_info->>payment_method=eq.bank | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-6 filter by date of birth | select id from influencers where date_of_birth < '2000-01-01' | GET influencers?select=id&date_of_birth=lt.2000-01-01 | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-8 another's access_influencer_page | select access_influencer_page from influencers where id = {profile of other influencer} and access_influencer_page is not null | GET influencers?select=access_influencer_page&id=eq.{profile of other influencer}&access_influencer_page=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 another's access_agencies_page | select access_agencies_page from influencers where id = {profile of other influencer} and access_agencies_page is not null | GET influencers?select=access_agencies_page&id=eq.{profile of other influencer}&access_agencies_page=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 another's access_events_page | select access_events_page from influencers where id = {profile of other influencer} and access_events_page is not null | GET influencers?select=access_events_page&id=eq.{profile of other influencer}&access_events_page=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 another's access_gigs_page | select access_gigs_page from influencers where id = {profile of other influencer} and access_gigs_page is not null | GET influencers?select=access_gigs_page&id=eq.{profile of other influencer}&access_gigs_page=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 another's subscription_start_date | select subscription_start_date from influencers where id = {profile of other influencer} and subscription_start_date is not null | GET influencers?select=subscription_start_date&id=eq.{profile of other influencer}&subscription_start_date=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 another's subscription_end_date | select subscription_end_date from influencers where id = {profile of other influencer} and subscription_end_date is not null | GET influencers?select=subscription_end_date&id=eq.{profile of other influencer}&subscription_end_date=not.is.null | | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-8 filter by access or subscription | select * from influencers where access_gigs_page or subscription_end_date is not null | GET influencers?or=(access_gigs_page.is.true,subscription_end_date.not.is.null) | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 5 | 5 | 5
IN-9 the gigs check | select verified, approved from influencers where user_id = {me} | GET influencers?select=verified,approved&user_id=eq.{me} | | | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-9 for another | select verified, approved from influencers where user_id = {verified} | GET influencers?select=verified,approved&user_id=eq.{verified} | | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
IN-32 counted | select * from influencers | HEAD influencers ; Prefer: count=exact | | 3 | 3 | 4 | 3 | 3 | 3 | 3 | 5 | 5 | 5
IN-33 their addresses | select influencers.id, profiles.email from influencers join profiles on profiles.id = influencers.user_id | GET influencers?select=id,profiles!inner(email) | | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 5 | 5 | 5
IN-33 with visible addresses | select influencers.*, profiles.email from influencers left join profiles on profiles.id = influencers.user_id | GET influencers?select=*,profiles(email) | | 42501 | 3 | 4 | 3 | 3 | 3 | 3 | 5 | 5 | 5
IN-33 their roles | select influencers.id, user_roles.role from influencers join user_roles on user_roles.user_id = influencers.user_id | GET influencers?select=id,profiles!inner(user_roles!inner(role)) | | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-33 with their roles | | GET influencers?select=*,user_roles(*) | | /42501 | /3 | /4 | /3 | /3 | /3 | /3 | /5 | /5 | /5
IN-34 the carousel | select id, name, username, category, profile_image, instagram_followers, tiktok_followers from influencers limit 4 | GET influencers?select=id,name,username,category,profile_image,instagram_followers,tiktok_followers&limit=4 | | 3 | 3 | 4 | 3 | 3 | 3 | 3 | 4 | 4 | 4
IN-5 on the table | select * from app.influencer_private | | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-8 on the table | select * from app.influencer_moderation | | | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 5 | 5 | 5
IN-1 on the table | select * from app.influencers | | | 3 | 3 | 4 | 3 | 3 | 3 | 3 | 5 | 5 | 5
\.

-- Adding a profile. The gateway sends an upsert on a view as an insert, with the options in a setting.
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
IN-10 own | insert into influencers (user_id, name, username, category) values ({me}, 'N', 'n', 'Tech') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech"} | 42501 | 1 | 23505 | 23505 | 23505 | 42501 | 42501 | 42501 | 42501 |
IN-10 own, without user_id | insert into influencers (name, username, category) values ('N', 'n', 'Tech') | POST influencers | {"name": "N", "username": "n", "category": "Tech"} | 42501 | 1 | 23505 | 23505 | 23505 | 42501 | 42501 | 42501 | 42501 |
IN-10 with the owner's columns | insert into influencers (user_id, name, username, category, bio, services, content_posts, payment_info, date_of_birth) values ({me}, 'N', 'n', 'Tech', 'B', '[{"title": "Reel"}]', '["https://pictures.example.test/1.jpg"]', '{"payment_method": "paypal"}', '2000-01-01') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "bio": "B", "services": [{"title": "Reel"}], "content_posts": ["https://pictures.example.test/1.jpg"], "payment_info": {"payment_method": "paypal"}, "date_of_birth": "2000-01-01"} | 42501 | 1 | 23505 | 23505 | 23505 | 42501 | 42501 | 42501 | 42501 |
IN-11 own with approved | insert into influencers (user_id, name, username, category, approved) values ({me}, 'N', 'n', 'Tech', true) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "approved": true} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-11 for a new one with approved | insert into influencers (user_id, name, username, category, approved) values ({new influencer}, 'N', 'n', 'Tech', true) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "approved": true} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with verified | insert into influencers (user_id, name, username, category, verified) values ({me}, 'N', 'n', 'Tech', true) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "verified": true} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with verified | insert into influencers (user_id, name, username, category, verified) values ({new influencer}, 'N', 'n', 'Tech', true) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "verified": true} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
IN-12 own with badge_type | insert into influencers (user_id, name, username, category, badge_type) values ({me}, 'N', 'n', 'Tech', 'gold') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with badge_type | insert into influencers (user_id, name, username, category, badge_type) values ({new influencer}, 'N', 'n', 'Tech', 'gold') | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "badge_type": "gold"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with access_influencer_page | insert into influencers (user_id, name, username, category, access_influencer_page) values ({me}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with access_influencer_page | insert into influencers (user_id, name, username, category, access_influencer_page) values ({new influencer}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_influencer_page": false} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with access_agencies_page | insert into influencers (user_id, name, username, category, access_agencies_page) values ({me}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with access_agencies_page | insert into influencers (user_id, name, username, category, access_agencies_page) values ({new influencer}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_agencies_page": false} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with access_events_page | insert into influencers (user_id, name, username, category, access_events_page) values ({me}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with access_events_page | insert into influencers (user_id, name, username, category, access_events_page) values ({new influencer}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_events_page": false} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with access_gigs_page | insert into influencers (user_id, name, username, category, access_gigs_page) values ({me}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with access_gigs_page | insert into influencers (user_id, name, username, category, access_gigs_page) values ({new influencer}, 'N', 'n', 'Tech', false) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "access_gigs_page": false} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with subscription_start_date | insert into influencers (user_id, name, username, category, subscription_start_date) values ({me}, 'N', 'n', 'Tech', '2026-02-01') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "subscription_start_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with subscription_start_date | insert into influencers (user_id, name, username, category, subscription_start_date) values ({new influencer}, 'N', 'n', 'Tech', '2026-02-01') | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "subscription_start_date": "2026-02-01"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with subscription_end_date | insert into influencers (user_id, name, username, category, subscription_end_date) values ({me}, 'N', 'n', 'Tech', '2026-02-01') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with subscription_end_date | insert into influencers (user_id, name, username, category, subscription_end_date) values ({new influencer}, 'N', 'n', 'Tech', '2026-02-01') | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "subscription_end_date": "2026-02-01"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with created_at | insert into influencers (user_id, name, username, category, created_at) values ({me}, 'N', 'n', 'Tech', '2030-01-01') | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with created_at | insert into influencers (user_id, name, username, category, created_at) values ({new influencer}, 'N', 'n', 'Tech', '2030-01-01') | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "created_at": "2030-01-01"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-12 own with id | insert into influencers (user_id, name, username, category, id) values ({me}, 'N', 'n', 'Tech', {another}) | POST influencers | {"user_id": "{me}", "name": "N", "username": "n", "category": "Tech", "id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-12 for a new one with id | insert into influencers (user_id, name, username, category, id) values ({new influencer}, 'N', 'n', 'Tech', {another}) | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech", "id": "{another}"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-13 for another | insert into influencers (user_id, name, username, category) values ({new influencer}, 'N', 'n', 'Tech') | POST influencers | {"user_id": "{new influencer}", "name": "N", "username": "n", "category": "Tech"} | 42501 | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-13 for an agency | insert into influencers (user_id, name, username, category) values ({new agency}, 'N', 'n', 'Tech') | POST influencers | {"user_id": "{new agency}", "name": "N", "username": "n", "category": "Tech"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-13 payment details for another | insert into app.influencer_private (user_id, payment_info) values ({unpaid}, '{}') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-13 a moderation row for self | insert into app.influencer_moderation (user_id, approved) values ({me}, true) | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
IN-30 upsert onto another's | insert into influencers (user_id, name, username, category) select {other influencer}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{other influencer}", "name": "New", "username": "n", "category": "Tech"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-30 by its id | insert into influencers (id, name, username, category) select {profile of other influencer}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["id"]}', true) | POST influencers?on_conflict=id ; Prefer: resolution=merge-duplicates | {"id": "{profile of other influencer}", "name": "New", "username": "n", "category": "Tech"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-30 onto an unapproved one | insert into influencers (user_id, name, username, category) select {other unapproved}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{other unapproved}", "name": "New", "username": "n", "category": "Tech"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-30 onto own | insert into influencers (user_id, name, username, category) select {me}, 'New', 'n', 'Tech' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{me}", "name": "New", "username": "n", "category": "Tech"} | 42501 | 1 | 1 | 1 | 1 | 42501 | 42501 | 42501 | 42501 |
IN-30 onto own, with a badge | insert into influencers (user_id, name, username, category, badge_type) select {me}, 'New', 'n', 'Tech', 'platinum' from set_config('request.on_conflict', '{"resolution": "merge-duplicates", "columns": ["user_id"]}', true) | POST influencers?on_conflict=user_id ; Prefer: resolution=merge-duplicates | {"user_id": "{me}", "name": "New", "username": "n", "category": "Tech", "badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
\.

-- Editing: by the owner, by others, and by admins. Cells are empty where the profile already has the value (IN-15 approved,
-- IN-16 verified, IN-24 not approved), because sending it again is allowed.
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
IN-14 own name | update influencers set name = 'New' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"name": "New"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's name | update influencers set name = 'New' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"name": "New"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own username | update influencers set username = 'new' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"username": "new"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's username | update influencers set username = 'new' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"username": "new"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own category | update influencers set category = 'Tech' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"category": "Tech"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's category | update influencers set category = 'Tech' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"category": "Tech"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own bio | update influencers set bio = 'New' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"bio": "New"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-26 another's bio | update influencers set bio = 'New' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"bio": "New"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own profile_image | update influencers set profile_image = 'https://pictures.example.test/1.jpg' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"profile_image": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's profile_image | update influencers set profile_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"profile_image": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own cover_image | update influencers set cover_image = 'https://pictures.example.test/1.jpg' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"cover_image": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's cover_image | update influencers set cover_image = 'https://pictures.example.test/1.jpg' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"cover_image": "https://pictures.example.test/1.jpg"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own instagram_followers | update influencers set instagram_followers = '12K' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"instagram_followers": "12K"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's instagram_followers | update influencers set instagram_followers = '12K' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"instagram_followers": "12K"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own instagram_link | update influencers set instagram_link = 'https://new.example.test' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"instagram_link": "https://new.example.test"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's instagram_link | update influencers set instagram_link = 'https://new.example.test' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"instagram_link": "https://new.example.test"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own website_link | update influencers set website_link = 'https://new.example.test' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"website_link": "https://new.example.test"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's website_link | update influencers set website_link = 'https://new.example.test' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"website_link": "https://new.example.test"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own age | update influencers set age = 30 where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"age": 30} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's age | update influencers set age = 30 where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"age": 30} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own location | update influencers set location = 'Ipoh' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"location": "Ipoh"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's location | update influencers set location = 'Ipoh' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"location": "Ipoh"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own language | update influencers set language = 'Malay' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"language": "Malay"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's language | update influencers set language = 'Malay' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"language": "Malay"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own ethnicity | update influencers set ethnicity = 'Malay' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"ethnicity": "Malay"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's ethnicity | update influencers set ethnicity = 'Malay' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"ethnicity": "Malay"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own height | update influencers set height = '170 cm' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"height": "170 cm"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's height | update influencers set height = '170 cm' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"height": "170 cm"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own religion | update influencers set religion = 'Islam' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"religion": "Islam"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's religion | update influencers set religion = 'Islam' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"religion": "Islam"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own services | update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"services": [{"title": "Reel", "price": "RM 5"}]} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's services | update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"services": [{"title": "Reel", "price": "RM 5"}]} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own content_posts | update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"content_posts": ["https://pictures.example.test/1.jpg"]} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's content_posts | update influencers set content_posts = '["https://pictures.example.test/1.jpg"]' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"content_posts": ["https://pictures.example.test/1.jpg"]} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own payment_info | update influencers set payment_info = '{"payment_method": "paypal"}' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"payment_info": {"payment_method": "paypal"}} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-26 another's payment_info | update influencers set payment_info = '{"payment_method": "paypal"}' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"payment_info": {"payment_method": "paypal"}} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-14 own date_of_birth | update influencers set date_of_birth = '2000-01-01' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"date_of_birth": "2000-01-01"} | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 |
IN-22 another's date_of_birth | update influencers set date_of_birth = '2000-01-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"date_of_birth": "2000-01-01"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-22 an unapproved own name | update influencers set name = 'New' where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"name": "New"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 42501 | 42501 | 1
IN-15 approve self | update influencers set approved = true where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"approved": true} | 42501 | 0 | 42501 | | | 0 | 0 | 0 | 0 |
IN-16 verify self | update influencers set verified = true where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"verified": true} | 42501 | 0 | 42501 | 42501 | | 0 | 0 | 0 | 0 |
IN-17 give self a badge | update influencers set badge_type = 'platinum' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"badge_type": "platinum"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-18 own access_influencer_page | update influencers set access_influencer_page = false where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"access_influencer_page": false} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-18 own access_agencies_page | update influencers set access_agencies_page = false where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"access_agencies_page": false} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-18 own access_events_page | update influencers set access_events_page = false where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"access_events_page": false} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-18 own access_gigs_page | update influencers set access_gigs_page = false where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"access_gigs_page": false} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-19 own subscription_start_date | update influencers set subscription_start_date = '2026-06-01' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"subscription_start_date": "2026-06-01"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-19 own subscription_end_date | update influencers set subscription_end_date = '2026-06-01' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"subscription_end_date": "2026-06-01"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-15 approve somebody | update influencers set approved = true where user_id = {unapproved} | PATCH influencers?user_id=eq.{unapproved} | {"approved": true} | 42501 | 0 | 42501 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-16 verify somebody | update influencers set verified = true where user_id = {other influencer} | PATCH influencers?user_id=eq.{other influencer} | {"verified": true} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
IN-16 verified beside a badge | update influencers set verified = true, badge_type = 'gold' where user_id = {other influencer} | PATCH influencers?user_id=eq.{other influencer} | {"verified": true, "badge_type": "gold"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-17 give somebody a badge | update influencers set badge_type = 'platinum' where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-18 a verified account's access_influencer_page | update influencers set access_influencer_page = false where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-18 a verified account's access_agencies_page | update influencers set access_agencies_page = false where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-18 a verified account's access_events_page | update influencers set access_events_page = false where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-18 a verified account's access_gigs_page | update influencers set access_gigs_page = false where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-19 a verified account's subscription_start_date | update influencers set subscription_start_date = '2026-06-01' where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"subscription_start_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-19 a verified account's subscription_end_date | update influencers set subscription_end_date = '2026-06-01' where user_id = {verified} | PATCH influencers?user_id=eq.{verified} | {"subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-20 own id | update influencers set id = {another} where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"id": "{another}"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-20 another's id | update influencers set id = {another} where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-20 own user_id | update influencers set user_id = {new influencer} where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"user_id": "{new influencer}"} | 42501 | | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-20 another's user_id | update influencers set user_id = {new influencer} where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"user_id": "{new influencer}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-20 own created_at | update influencers set created_at = '2030-01-01' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"created_at": "2030-01-01"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-20 another's created_at | update influencers set created_at = '2030-01-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-20 a derived number of followers | update influencers set instagram_followers_count = 1000000 where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"instagram_followers_count": 1000000} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-21 a name and an approval | update influencers set name = 'Mixed', approved = true where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"name": "Mixed", "approved": true} | 42501 | 0 | 42501 | | | 0 | 0 | 0 | 0 |
IN-21 a name and a badge | update influencers set name = 'Mixed', badge_type = 'platinum' where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"name": "Mixed", "badge_type": "platinum"} | 42501 | 0 | 42501 | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-21 another's name and badge | update influencers set name = 'Mixed', badge_type = 'platinum' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"name": "Mixed", "badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
IN-23 approve | update influencers set approved = true where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"approved": true} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-24 un-approve self | update influencers set approved = false where user_id = {me} | PATCH influencers?user_id=eq.{me} | {"approved": false} | 42501 | 0 | | 42501 | 42501 | 0 | 0 | 0 | 0 |
IN-24 un-approve | update influencers set approved = false where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"approved": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 1
IN-25 another's badge_type | update influencers set badge_type = 'platinum' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"badge_type": "platinum"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own badge_type | update influencers set badge_type = 'platinum' where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"badge_type": "platinum"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's access_influencer_page | update influencers set access_influencer_page = false where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_influencer_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own access_influencer_page | update influencers set access_influencer_page = false where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"access_influencer_page": false} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's access_agencies_page | update influencers set access_agencies_page = false where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_agencies_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own access_agencies_page | update influencers set access_agencies_page = false where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"access_agencies_page": false} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's access_events_page | update influencers set access_events_page = false where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_events_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own access_events_page | update influencers set access_events_page = false where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"access_events_page": false} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's access_gigs_page | update influencers set access_gigs_page = false where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_gigs_page": false} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own access_gigs_page | update influencers set access_gigs_page = false where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"access_gigs_page": false} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's subscription_start_date | update influencers set subscription_start_date = '2026-06-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"subscription_start_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own subscription_start_date | update influencers set subscription_start_date = '2026-06-01' where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"subscription_start_date": "2026-06-01"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 another's subscription_end_date | update influencers set subscription_end_date = '2026-06-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 an unapproved own subscription_end_date | update influencers set subscription_end_date = '2026-06-01' where id = {profile of other unapproved} | PATCH influencers?id=eq.{profile of other unapproved} | {"subscription_end_date": "2026-06-01"} | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-25 all of them at once | update influencers set badge_type = 'platinum', access_influencer_page = false, access_agencies_page = false, access_events_page = false, access_gigs_page = false, subscription_start_date = '2026-06-01', subscription_end_date = '2026-06-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"badge_type": "platinum", "access_influencer_page": false, "access_agencies_page": false, "access_events_page": false, "access_gigs_page": false, "subscription_start_date": "2026-06-01", "subscription_end_date": "2026-06-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
IN-25 verified, which follows the badge | update influencers set verified = true where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"verified": true} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
IN-27 an unknown badge | update influencers set badge_type = 'diamond' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"badge_type": "diamond"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
IN-27 an end before the start | update influencers set subscription_start_date = '2026-02-01', subscription_end_date = '2026-01-31' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-01-31"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
IN-27 a date out of range | update influencers set subscription_end_date = '9999-01-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"subscription_end_date": "9999-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514 | 23514 | 23514
IN-27 an end on the day of the start | update influencers set subscription_start_date = '2026-02-01', subscription_end_date = '2026-02-01' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"subscription_start_date": "2026-02-01", "subscription_end_date": "2026-02-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 1
\.

-- The specification requires 400 for access_* = "yes", even from admins. In SQL, 'yes' and 'no' are valid booleans; over
-- HTTP, they are not. An invalid boolean is rejected before permissions are checked, where the specification says 403 (401).
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
IN-27 access that is not a boolean | update influencers set access_gigs_page = 'perhaps' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_gigs_page": "perhaps"} | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400 | 22P02/400
IN-27 access as the word no | update influencers set access_gigs_page = 'no' where id = {profile of other influencer} | PATCH influencers?id=eq.{profile of other influencer} | {"access_gigs_page": "no"} | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 1/400 | 1/400 | 1/400
\.

-- Deleting, and changing all rows at once. Without a condition, the base table's policy for reading doesn't apply, only the
-- one for the command.
copy act (id, sql, request, body, visitor, new_influencer, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
IN-28 delete an approved one | delete from influencers where id = {profile of other influencer} | DELETE influencers?id=eq.{profile of other influencer} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-28 delete an unapproved one | delete from influencers where id = {profile of other unapproved} | DELETE influencers?id=eq.{profile of other unapproved} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-29 delete self | delete from influencers where user_id = {me} | DELETE influencers?user_id=eq.{me} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |
IN-29 delete somebody | delete from influencers where user_id = {verified} | DELETE influencers?user_id=eq.{verified} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 | 1
IN-31 edit without a condition | | PATCH influencers | {"name": "New"} | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
IN-31 delete without a condition | | DELETE influencers | | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
IN-31 edit all profiles | update app.influencers set name = 'New' | | | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-31 write all payment details | update app.influencer_private set payment_info = null | | | 42501 | 0 | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 5
IN-31 moderate all | update app.influencer_moderation set badge_type = 'platinum', access_gigs_page = false | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 5 | 5 | 5
IN-31 write the mirrored approval | update app.influencers set approved = true | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 5
IN-31 write the mirrored badge | update app.influencers set badge_type = 'platinum' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 5
IN-31 delete all profiles | delete from app.influencers | | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 5 | 5 | 5
IN-31 delete all payment details | delete from app.influencer_private | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 5
IN-31 delete all moderation rows | delete from app.influencer_moderation | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 5
\.

-- Limits and a unique username, as the owner. They apply to the service key, too.
copy act (id, sql, request, body, verified, service) from stdin with (delimiter '|');
MA-3 a taken username | update influencers set username = 'approved' where user_id = {verified} | | | 23505 | 23505
MA-3 in other case | update influencers set username = 'APPROVED' where user_id = {verified} | | | 23505 | 23505
MA-3 a free username | update influencers set username = 'Somebody.Else' where user_id = {verified} | | | 1 | 1
MA-4 name of 100 | update influencers set name = repeat('x', 100) where user_id = {verified} | | | 1 | 1
MA-4 name of 101 | update influencers set name = repeat('x', 101) where user_id = {verified} | | | 23514 | 23514
MA-4 username of 50 | update influencers set username = repeat('x', 50) where user_id = {verified} | | | 1 | 1
MA-4 username of 51 | update influencers set username = repeat('x', 51) where user_id = {verified} | | | 23514 | 23514
MA-4 bio of 500 | update influencers set bio = repeat('x', 500) where user_id = {verified} | | | 1 | 1
MA-4 bio of 501 | update influencers set bio = repeat('x', 501) where user_id = {verified} | | | 23514 | 23514
MA-4 location of 100 | update influencers set location = repeat('x', 100) where user_id = {verified} | | | 1 | 1
MA-4 location of 101 | update influencers set location = repeat('x', 101) where user_id = {verified} | | | 23514 | 23514
MA-5 eight photos | update influencers set content_posts = to_jsonb(array_fill('https://pictures.example.test/1.jpg'::text, array[8])) where user_id = {verified} | | | 1 | 1
MA-5 nine photos | update influencers set content_posts = to_jsonb(array_fill('https://pictures.example.test/1.jpg'::text, array[9])) where user_id = {verified} | | | 23514 | 23514
MA-6 a link to a script | update influencers set website_link = 'javascript:alert(1)' where user_id = {verified} | | | 23514 | 23514
MA-6 a data URL | update influencers set website_link = 'data:text/html,x' where user_id = {verified} | | | 23514 | 23514
MA-6 a link to the cloud metadata address | update influencers set website_link = 'http://169.254.169.254/latest' where user_id = {verified} | | | 23514 | 23514
MA-6 a link to a loopback address | update influencers set website_link = 'http://127.0.0.1/' where user_id = {verified} | | | 23514 | 23514
MA-6 a link of 5 KB | update influencers set website_link = concat('https://long.example.test/', repeat('x', 5000)) where user_id = {verified} | | | 23514 | 23514
MA-6 a link to the web | update influencers set website_link = 'https://web.example.test/me' where user_id = {verified} | | | 1 | 1
MA-7 services that are not a list | update influencers set services = '{}' where user_id = {verified} | | | 23514 | 23514
MA-7 a service without a title | update influencers set services = '[{"price": "RM 5"}]' where user_id = {verified} | | | 23514 | 23514
MA-7 photos that are not a list | update influencers set content_posts = '{}' where user_id = {verified} | | | 23514 | 23514
MA-7 a photo that is a number | update influencers set content_posts = '[7]' where user_id = {verified} | | | 23514 | 23514
MA-7 payment details that are a list | update influencers set payment_info = '[]' where user_id = {verified} | | | 23514 | 23514
MA-7 an unknown key | update influencers set payment_info = '{"card": "4111"}' where user_id = {verified} | | | 23514 | 23514
MA-7 1 MB of services | update influencers set services = jsonb_build_array(jsonb_build_object('title', 'T', 'description', repeat('x', 1000000))) where user_id = {verified} | | | 23514 | 23514
MA-7 valid services | update influencers set services = '[{"title": "Reel", "price": "RM 5"}]' where user_id = {verified} | | | 1 | 1
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
