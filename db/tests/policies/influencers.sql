-- Section 3 of the permission matrix: reading and deleting influencers. Other files add and edit them.
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
  sql: select * from app.moderation where kind = 'influencer'
  0: visitor, new influencer, agency, vendor
  1: unapproved, approved, verified
  5: admin, superadmin, service
IN-1 on the table
  sql: select * from app.influencers
  3: visitor, new influencer, approved, verified, agency, vendor
  4: unapproved
  5: admin, superadmin, service
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
  sql: update app.moderation set badge_type = 'platinum', access_gigs_page = false
  42501: visitor
  0: new influencer, unapproved, approved, verified, agency, vendor
  9: admin, superadmin, service
IN-31 make it a decision about a vendor
  sql: update app.moderation set kind = 'vendor', user_id = {vendor}
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
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
  sql: delete from app.moderation
  42501: visitor, new influencer, unapproved, approved, verified, agency, vendor, admin, superadmin
  9: service
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
