-- Beyond the matrix: favourites (FA) are their keeper's alone, the newsletter (NL) takes addresses and gives none.
\ir ../setup.sql
select tests.people() \gset

-- The agency keeps one influencer.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
FA-1 what is kept | select * from favorites | GET favorites | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-1 what an agency keeps | select * from favorites where user_id = {agency} | GET favorites?user_id=eq.{agency} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-1 who keeps an influencer | select * from favorites where influencer_id = {profile of approved} | GET favorites?influencer_id=eq.{profile of approved} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-1 counted | select * from favorites | HEAD favorites ; Prefer: count=exact | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-1 with whom | select * from favorites join influencers on influencers.id = influencer_id | GET favorites?select=*,influencers!inner(name) | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-1 at the table | select * from app.favorites | | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-2 keep an influencer | insert into favorites (influencer_id) values ({profile of verified}) | POST favorites | {"influencer_id": "{profile of verified}"} | 42501 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |
FA-2 keep an unapproved one | insert into favorites (influencer_id) values ({profile of other unapproved}) | POST favorites | {"influencer_id": "{profile of other unapproved}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 1 |
FA-2 keep oneself | insert into favorites (influencer_id) values ({my profile}) | POST favorites | {"influencer_id": "{my profile}"} | 42501 | 1 | 1 | 1 | 42501 | 42501 | 42501 | 42501 |
FA-2 keep nobody | insert into favorites (influencer_id) values ({nobody}) | POST favorites | {"influencer_id": "{nobody}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
FA-2 keep whom one keeps | insert into favorites (influencer_id) values ({profile of approved}) | POST favorites | {"influencer_id": "{profile of approved}"} | | | | | 23505 | | | |
FA-2 quietly | insert into favorites (influencer_id) values ({profile of approved}) on conflict (user_id, influencer_id) do nothing | POST favorites?on_conflict=user_id,influencer_id ; Prefer: resolution=ignore-duplicates | {"influencer_id": "{profile of approved}"} | 42501 | 1 | 1 | 1 | 0 | 1 | 1 | 1 |
FA-2 again | insert into favorites (influencer_id) values ({profile of approved}) on conflict (user_id, influencer_id) do update set created_at = now() | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
FA-3 keep for another | insert into favorites (user_id, influencer_id) values ({agency}, {profile of verified}) | POST favorites | {"user_id": "{agency}", "influencer_id": "{profile of verified}"} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 1
FA-3 with a date of the past | insert into favorites (user_id, influencer_id, created_at) values ({agency}, {profile of verified}, '2020-01-01') | POST favorites | {"user_id": "{agency}", "influencer_id": "{profile of verified}", "created_at": "2020-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
FA-4 drop an influencer | delete from favorites where influencer_id = {profile of approved} | DELETE favorites?influencer_id=eq.{profile of approved} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-4 drop what an agency keeps | delete from favorites where user_id = {agency} | DELETE favorites?user_id=eq.{agency} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-4 drop everything at the table | delete from app.favorites | | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 1
FA-4 drop without a condition | | DELETE favorites | | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
FA-5 another date | update favorites set created_at = '2020-01-01' where user_id = {agency} | PATCH favorites?user_id=eq.{agency} | {"created_at": "2020-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
FA-5 another influencer | update favorites set influencer_id = {profile of verified} where user_id = {agency} | PATCH favorites?user_id=eq.{agency} | {"influencer_id": "{profile of verified}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

-- One address has been left.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
NL-1 subscribe | insert into newsletter_subscriptions (email) values ('new@example.test') | POST newsletter_subscriptions | {"email": "new@example.test"} | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
NL-1 at the table | insert into app.newsletter_subscriptions (email) values ('new@example.test') | | | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
NL-1 with a date | insert into app.newsletter_subscriptions (email, created_at) values ('new@example.test', '2020-01-01') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-2 what is no address | insert into newsletter_subscriptions (email) values ('nobody') | POST newsletter_subscriptions | {"email": "nobody"} | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514
NL-2 two addresses | insert into newsletter_subscriptions (email) values ('a@example.test,b@example.test') | POST newsletter_subscriptions | {"email": "a@example.test,b@example.test"} | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514
NL-2 a header of a mail | insert into newsletter_subscriptions (email) values (concat('a@example.test', chr(10), 'Bcc: b@example.test')) | | | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514 | 23514
NL-2 no address | insert into newsletter_subscriptions (email) values (null) | POST newsletter_subscriptions | {"email": null} | 23502 | 23502 | 23502 | 23502 | 23502 | 23502 | 23502 | 23502 | 23502
NL-2 an address | insert into newsletter_subscriptions (email) values ('one@example.test') | POST newsletter_subscriptions | {"email": "one@example.test"} | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1
NL-3 read | select * from newsletter_subscriptions | GET newsletter_subscriptions | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-3 ask for one | select * from newsletter_subscriptions where email = 'reader@example.test' | GET newsletter_subscriptions?email=eq.reader@example.test | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-3 at the table | select * from app.newsletter_subscriptions | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-3 by asking back | insert into newsletter_subscriptions (email) values ('new@example.test') returning email | POST newsletter_subscriptions ; Prefer: return=representation | {"email": "new@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-4 remove | delete from newsletter_subscriptions where email = 'reader@example.test' | DELETE newsletter_subscriptions?email=eq.reader@example.test | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-4 change | update newsletter_subscriptions set email = 'x@example.test' where email = 'reader@example.test' | PATCH newsletter_subscriptions?email=eq.reader@example.test | {"email": "x@example.test"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
NL-4 change at the table | update app.newsletter_subscriptions set email = 'x@example.test' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
\.

select * from tests.matrix();

-- A second time is as fine as the first, so that nobody learns who has subscribed.
select tests.become('visitor') \gset
select lives_ok('insert into newsletter_subscriptions (email) values ('' Reader@Example.test''), (''reader@example.test'')', 'NL-5 an address that is there');
reset role;
select results_eq('select email from app.newsletter_subscriptions', 'values (''reader@example.test'')', 'NL-5 is kept once');
\ir ../finish.sql
