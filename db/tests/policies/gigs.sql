-- Section 6 of the permission matrix: gigs. Two agencies have one gig each.
\ir ../setup.sql
select tests.people() \gset

copy act (line) from stdin;
GI-1 all, with the agency
  sql: select gigs.*, agencies.name, agencies.logo_url from gigs left join agencies on agencies.id = gigs.agency_id order by gigs.created_at desc
  request: GET gigs?select=*,agencies(name,logo_url)&order=created_at.desc
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
GI-1 all, alone
  sql: select * from gigs
  request: GET gigs
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
GI-1 one
  sql: select * from gigs where id = {gig of agency}
  request: GET gigs?id=eq.{gig of agency}
  42501: visitor
  0: unapproved, approved, other agency, new agency, vendor
  1: verified, agency, admin, superadmin, service
GI-1 on the table
  sql: select * from app.gigs
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
GI-2 of one agency
  sql: select * from gigs where agency_id = {profile of agency}
  request: GET gigs?agency_id=eq.{profile of agency}
  42501: visitor
  0: unapproved, approved, other agency, new agency, vendor
  1: verified, agency, admin, superadmin, service
GI-2 own
  sql: select * from gigs where agency_id = {my profile}
  request: GET gigs?agency_id=eq.{my profile}
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
GI-5 counted
  sql: select * from gigs
  request: HEAD gigs ; Prefer: count=exact
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
GI-12 the agency's flags through the gig
  sql: select from gigs join agencies on agencies.id = gigs.agency_id where agencies.access_gigs_page is not null
  request: GET gigs?select=id,agencies!inner(access_gigs_page)&agencies.access_gigs_page=not.is.null
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor
  1: agency, other agency
  2: admin, superadmin, service
GI-12 its subscription
  sql: select from gigs join agencies on agencies.id = gigs.agency_id where agencies.subscription_end_date is not null
  request: GET gigs?select=id,agencies!inner(*)&agencies.subscription_end_date=not.is.null
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor
  1: agency, other agency
  2: admin, superadmin, service
GI-13 gigs through their agencies
  sql: select agencies.id, gigs.title from agencies join gigs on gigs.agency_id = agencies.id
  request: GET agencies?select=id,gigs!inner(title)
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
GI-13 agencies with their gigs, if any
  sql: select agencies.id, gigs.title from agencies left join gigs on gigs.agency_id = agencies.id
  request: GET agencies?select=id,gigs(*)
  42501: visitor
  2: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin, service
\.

-- Posting.
copy act (line) from stdin;
GI-6 under the own agency
  sql: insert into gigs (agency_id, title, description) values ({my profile}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{my profile}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
GI-6 with everything
  sql: insert into gigs (agency_id, title, description, budget, duration, requirements) values ({profile of agency}, 'T', 'D', 'RM 500', 'A week', 'Ten thousand followers')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "T", "description": "D", "budget": "RM 500", "duration": "A week", "requirements": "Ten thousand followers"}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-7 under another's
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-7 under the other's
  sql: insert into gigs (agency_id, title, description) values ({profile of other agency}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{profile of other agency}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, agency, new agency, vendor, admin, superadmin
  1: other agency, service
GI-7 under a nonexistent agency
  sql: insert into gigs (agency_id, title, description) values ({nobody}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{nobody}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  23503: service
MA-11 without an agency's profile
  sql: insert into gigs (agency_id, title, description) values ({profile of new agency}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{profile of new agency}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  23503: service
MA-11 with an agency's profile
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', 'D')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-7 with a past date
  sql: insert into gigs (agency_id, title, description, created_at) values ({profile of agency}, 'T', 'D', '2020-01-01')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "T", "description": "D", "created_at": "2020-01-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1: service
GI-7 with a chosen id
  sql: insert into gigs (id, agency_id, title, description) values ({another}, {profile of agency}, 'T', 'D')
  request: POST gigs
  body: {"id": "{another}", "agency_id": "{profile of agency}", "title": "T", "description": "D"}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-11 without a title
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, '   ', 'D')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "   ", "description": "D"}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  23514: agency, service
GI-11 without a description
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, 'T', '  ')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "T", "description": "  "}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  23514: agency, service
GI-11 with a title of whitespace
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, concat(chr(9), chr(10), chr(13)), 'D')
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  23514: agency, service
GI-11 with surrounding spaces
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, '  T', 'D  ')
  request: POST gigs
  body: {"agency_id": "{profile of agency}", "title": "  T", "description": "D  "}
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-11 with a title of 200
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, repeat('x', 200), 'D')
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-11 with a title of 201
  sql: insert into gigs (agency_id, title, description) values ({profile of agency}, repeat('x', 201), 'D')
  42501: visitor, unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  23514: agency, service
\.

-- Editing, moving and deleting. Without a condition, the base table's policy for reading doesn't apply, only the one for the
-- command.
copy act (line) from stdin;
GI-8 title
  sql: update gigs set title = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"title": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 description
  sql: update gigs set description = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"description": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 budget
  sql: update gigs set budget = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"budget": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 duration
  sql: update gigs set duration = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"duration": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 requirements
  sql: update gigs set requirements = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"requirements": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 closes_on
  sql: update gigs set closes_on = '2030-01-01' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"closes_on": "2030-01-01"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 places
  sql: update gigs set places = 3 where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"places": 3}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-8 own, by the agency
  sql: update gigs set title = 'New' where agency_id = {my profile}
  request: PATCH gigs?agency_id=eq.{my profile}
  body: {"title": "New"}
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
GI-8 its date
  sql: update gigs set created_at = '2030-01-01' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"created_at": "2030-01-01"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1: service
GI-8 its id
  sql: update gigs set id = {another} where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"id": "{another}"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1: service
GI-9 to another agency
  sql: update gigs set agency_id = {profile of other agency} where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"agency_id": "{profile of other agency}"}
  42501: visitor, agency
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: service
GI-9 another's to self
  sql: update gigs set agency_id = {my profile} where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"agency_id": "{my profile}"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
GI-9 everything to another agency
  sql: update app.gigs set agency_id = {profile of other agency}
  42501: visitor, agency
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  2: service
GI-8 everything on the table
  sql: update app.gigs set title = 'New'
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
  2: service
GI-8 without a condition
  request: PATCH gigs
  body: {"title": "New"}
  /401: visitor
  /400: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin, service
GI-11 to a blank title
  sql: update gigs set title = ' ' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"title": " "}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  23514: agency, service
GI-11 to another title
  sql: update gigs set title = 'New' where id = {gig of agency}
  request: PATCH gigs?id=eq.{gig of agency}
  body: {"title": "New"}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-10 delete one
  sql: delete from gigs where id = {gig of agency}
  request: DELETE gigs?id=eq.{gig of agency}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-10 delete all of an agency
  sql: delete from gigs where agency_id = {profile of agency}
  request: DELETE gigs?agency_id=eq.{profile of agency}
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1: agency, service
GI-10 delete own
  sql: delete from gigs where agency_id = {my profile}
  request: DELETE gigs?agency_id=eq.{my profile}
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
GI-10 delete without a condition
  request: DELETE gigs
  /401: visitor
  /400: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin, service
GI-10 delete everything on the table
  sql: delete from app.gigs
  42501: visitor
  0: unapproved, approved, verified, new agency, vendor, admin, superadmin
  1: agency, other agency
  2: service
\.

select * from tests.matrix();

-- Influencers without access to gigs, and one whose subscription has ended, which has no effect.
select tests.influencer('shut out', true, 'gold'), tests.influencer('lapsed', true, 'gold'), tests.influencer('badge without approval', false, 'gold') \gset
update app.moderation set access_gigs_page = false where user_id = tests.id('shut out');
update app.moderation set subscription_end_date = '2020-01-01' where user_id = tests.id('lapsed');
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
