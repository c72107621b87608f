-- Section 6 of the permission matrix: gigs. Two agencies have one gig each.
\ir ../setup.sql
select tests.people() \gset

copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, new_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
GI-1 all, with the agency | select gigs.*, agencies.name, agencies.logo_url from gigs left join agencies on agencies.id = gigs.agency_id order by gigs.created_at desc | GET gigs?select=*,agencies(name,logo_url)&order=created_at.desc | | 42501 | 0 | 0 | 2 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-1 all, alone | select * from gigs | GET gigs | | 42501 | 0 | 0 | 2 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-1 one | select * from gigs where id = {gig of agency} | GET gigs?id=eq.{gig of agency} | | 42501 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 1 | 1
GI-1 on the table | select * from app.gigs | | | 42501 | 0 | 0 | 2 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-2 of one agency | select * from gigs where agency_id = {profile of agency} | GET gigs?agency_id=eq.{profile of agency} | | 42501 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 1 | 1
GI-2 own | select * from gigs where agency_id = {my profile} | GET gigs?agency_id=eq.{my profile} | | | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 0 |
GI-5 counted | select * from gigs | HEAD gigs ; Prefer: count=exact | | 42501 | 0 | 0 | 2 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-12 the agency's flags through the gig | select from gigs join agencies on agencies.id = gigs.agency_id where agencies.access_gigs_page is not null | GET gigs?select=id,agencies!inner(access_gigs_page)&agencies.access_gigs_page=not.is.null | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-12 its subscription | select from gigs join agencies on agencies.id = gigs.agency_id where agencies.subscription_end_date is not null | GET gigs?select=id,agencies!inner(*)&agencies.subscription_end_date=not.is.null | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-13 gigs through their agencies | select agencies.id, gigs.title from agencies join gigs on gigs.agency_id = agencies.id | GET agencies?select=id,gigs!inner(title) | | 42501 | 0 | 0 | 2 | 1 | 1 | 0 | 0 | 2 | 2 | 2
GI-13 agencies with their gigs, if any | select agencies.id, gigs.title from agencies left join gigs on gigs.agency_id = agencies.id | GET agencies?select=id,gigs(*) | | 42501 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2 | 2
\.

-- Posting.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, new_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
GI-6 under the own agency | insert into gigs (agency_id, title, description) values ({my profile}, 'T', 'D') | POST gigs | {"agency_id": "{my profile}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 1 | 1 | 42501 | 42501 | 42501 | 42501 |
GI-6 with everything | insert into gigs (agency_id, title, description, budget, duration, requirements) values ({profile of agency}, 'T', 'D', 'RM 500', 'A week', 'Ten thousand followers') | POST gigs | {"agency_id": "{profile of agency}", "title": "T", "description": "D", "budget": "RM 500", "duration": "A week", "requirements": "Ten thousand followers"} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-7 under another's | insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', 'D') | POST gigs | {"agency_id": "{profile of agency}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-7 under the other's | insert into gigs (agency_id, title, description) values ({profile of other agency}, 'T', 'D') | POST gigs | {"agency_id": "{profile of other agency}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 1
GI-7 under a nonexistent agency | insert into gigs (agency_id, title, description) values ({nobody}, 'T', 'D') | POST gigs | {"agency_id": "{nobody}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23503
MA-11 without an agency's profile | insert into gigs (agency_id, title, description) values ({profile of new agency}, 'T', 'D') | POST gigs | {"agency_id": "{profile of new agency}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23503
MA-11 with an agency's profile | insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', 'D') | POST gigs | {"agency_id": "{profile of agency}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-7 with a past date | insert into gigs (agency_id, title, description, created_at) values ({profile of agency}, 'T', 'D', '2020-01-01') | POST gigs | {"agency_id": "{profile of agency}", "title": "T", "description": "D", "created_at": "2020-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-7 with a chosen id | insert into gigs (id, agency_id, title, description) values ({another}, {profile of agency}, 'T', 'D') | POST gigs | {"id": "{another}", "agency_id": "{profile of agency}", "title": "T", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-11 without a title | insert into gigs (agency_id, title, description) values ({profile of agency}, '   ', 'D') | POST gigs | {"agency_id": "{profile of agency}", "title": "   ", "description": "D"} | 42501 | 42501 | 42501 | 42501 | 23514 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514
GI-11 without a description | insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', '  ') | POST gigs | {"agency_id": "{profile of agency}", "title": "T", "description": "  "} | 42501 | 42501 | 42501 | 42501 | 23514 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514
GI-11 with a title of whitespace | insert into gigs (agency_id, title, description) values ({profile of agency}, concat(chr(9), chr(10), chr(13)), 'D') | | | 42501 | 42501 | 42501 | 42501 | 23514 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514
GI-11 with surrounding spaces | insert into gigs (agency_id, title, description) values ({profile of agency}, '  T', 'D  ') | POST gigs | {"agency_id": "{profile of agency}", "title": "  T", "description": "D  "} | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-11 with a title of 200 | insert into gigs (agency_id, title, description) values ({profile of agency}, repeat('x', 200), 'D') | | | 42501 | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-11 with a title of 201 | insert into gigs (agency_id, title, description) values ({profile of agency}, repeat('x', 201), 'D') | | | 42501 | 42501 | 42501 | 42501 | 23514 | 42501 | 42501 | 42501 | 42501 | 42501 | 23514
\.

-- Editing, moving and deleting. Without a condition, the base table's policy for reading doesn't apply, only the one for the
-- command.
copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, new_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
GI-8 title | update gigs set title = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"title": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-8 description | update gigs set description = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"description": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-8 budget | update gigs set budget = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"budget": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-8 duration | update gigs set duration = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"duration": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-8 requirements | update gigs set requirements = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"requirements": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-8 own, by the agency | update gigs set title = 'New' where agency_id = {my profile} | PATCH gigs?agency_id=eq.{my profile} | {"title": "New"} | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 0 |
GI-8 its date | update gigs set created_at = '2030-01-01' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"created_at": "2030-01-01"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-8 its id | update gigs set id = {another} where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"id": "{another}"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
GI-9 to another agency | update gigs set agency_id = {profile of other agency} where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"agency_id": "{profile of other agency}"} | 42501 | 0 | 0 | 0 | 42501 | 0 | 0 | 0 | 0 | 0 | 1
GI-9 another's to self | update gigs set agency_id = {my profile} where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"agency_id": "{my profile}"} | 42501 | 0 | 0 | 0 | | 0 | 0 | 0 | 0 | 0 |
GI-9 everything to another agency | update app.gigs set agency_id = {profile of other agency} | | | 42501 | 0 | 0 | 0 | 42501 | | 0 | 0 | 0 | 0 | 2
GI-8 everything on the table | update app.gigs set title = 'New' | | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 0 | 2
GI-8 without a condition | | PATCH gigs | {"title": "New"} | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
GI-11 to a blank title | update gigs set title = ' ' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"title": " "} | 42501 | 0 | 0 | 0 | 23514 | 0 | 0 | 0 | 0 | 0 | 23514
GI-11 to another title | update gigs set title = 'New' where id = {gig of agency} | PATCH gigs?id=eq.{gig of agency} | {"title": "New"} | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-10 delete one | delete from gigs where id = {gig of agency} | DELETE gigs?id=eq.{gig of agency} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-10 delete all of an agency | delete from gigs where agency_id = {profile of agency} | DELETE gigs?agency_id=eq.{profile of agency} | | 42501 | 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 1
GI-10 delete own | delete from gigs where agency_id = {my profile} | DELETE gigs?agency_id=eq.{my profile} | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 0 |
GI-10 delete without a condition | | DELETE gigs | | /401 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400 | /400
GI-10 delete everything on the table | delete from app.gigs | | | 42501 | 0 | 0 | 0 | 1 | 1 | 0 | 0 | 0 | 0 | 2
\.

select * from tests.matrix();

-- Influencers without access to gigs, and one whose subscription has ended, which has no effect.
select tests.influencer('shut out', true, 'gold'), tests.influencer('lapsed', true, 'gold'), tests.influencer('badge without approval', false, 'gold') \gset
update app.influencer_moderation set access_gigs_page = false where user_id = tests.id('shut out');
update app.influencer_moderation set subscription_end_date = '2020-01-01' where user_id = tests.id('lapsed');
select tests.cell(id, who, act, wanted)
from (values ('GI-3 access_gigs_page is false', 'shut out', '0'), ('GI-4 the subscription has ended', 'lapsed', '2'), ('GI-1 a badge without approval', 'badge without approval', '0')) as cell (id, who, wanted)
cross join unnest(array['select * from gigs', 'select * from app.gigs', 'select gigs.title from agencies join gigs on gigs.agency_id = agencies.id']) as act;

-- Roles are looked up for each statement and not cached.
delete from app.user_roles where user_id in (tests.id('verified'), tests.id('agency'), tests.id('admin'));
select tests.cell('UR-17 after the role was removed', who, act, wanted) from (values
  ('verified', 'select * from gigs', '0'),
  ('admin', 'select * from gigs', '0'),
  ('agency', 'select * from gigs', '1'),
  ('agency', 'update gigs set title = ''New'' where id = ' || quote_literal(tests.id('gig of agency')), '0'),
  ('agency', 'delete from gigs where id = ' || quote_literal(tests.id('gig of agency')), '0'),
  ('agency', 'insert into gigs (agency_id, title, description) values (' || quote_literal(tests.id('profile of agency')) || ', ''T'', ''D'')', '42501')) as cell (who, act, wanted);
\ir ../finish.sql
