-- Enquiries: who can read them, and who can call the functions that send, answer and withdraw them.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

copy act (line) from stdin;
EN-1 read
  sql: select * from enquiries
  request: GET enquiries
  42501: visitor
  0: unapproved, admin, superadmin
  2: approved
  1: verified, agency, other agency, vendor
  4: service
EN-1 read the table
  sql: select id, state from app.enquiries
  42501: visitor
  0: unapproved, admin, superadmin
  2: approved
  1: verified, agency, other agency, vendor
  4: service
EN-1 counted
  sql: select * from enquiries
  request: HEAD enquiries ; Prefer: count=exact
  42501: visitor
  0: unapproved, admin, superadmin
  2: approved
  1: verified, agency, other agency, vendor
  4: service
EN-1 one of an agency
  sql: select * from enquiries where id = {enquiry of agency}
  request: GET enquiries?id=eq.{enquiry of agency}
  42501: visitor
  0: unapproved, verified, other agency, vendor, admin, superadmin
  1: approved, agency, service
EN-1 a guest's unconfirmed one
  sql: select * from enquiries where id = {enquiry of guest}
  request: GET enquiries?id=eq.{enquiry of guest}
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1: service
EN-1 by the sender's address
  sql: select * from enquiries where sender_email = 'vendor@example.test'
  request: GET enquiries?sender_email=eq.vendor@example.test
  42501: visitor
  0: unapproved, verified, agency, other agency, admin, superadmin
  1: approved, vendor, service
EN-1 addresses of what is not accepted
  sql: select * from enquiries where sender_email is not null and state <> 'accepted'
  request: GET enquiries?sender_email=not.is.null&state=neq.accepted
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-1 with the influencer
  sql: select enquiries.id from enquiries join influencers on influencers.id = influencer_id
  request: GET enquiries?select=id,influencers!inner(name)
  42501: visitor
  0: unapproved, admin, superadmin
  2: approved
  1: verified, agency, other agency, vendor
  4: service
EN-1 an internal column
  sql: select sender_key from app.enquiries
  request: GET enquiries?select=sender_key
  42501/400: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-2 insert
  sql: insert into enquiries (influencer_id, deliverables, message, state) values ({profile of approved}, 'A reel', 'A message of twenty.', 'open')
  request: POST enquiries
  body: {"influencer_id": "{profile of approved}", "deliverables": "A reel", "message": "A message of twenty.", "state": "open"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-2 insert into the table
  sql: insert into app.enquiries (brief_id, sender_key, deliverables, message, state) values ({brief of agency}, 'x', 'A reel', 'A message of twenty.', 'unconfirmed')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-3 accept by an update
  sql: update enquiries set state = 'accepted' where id = {enquiry of agency}
  request: PATCH enquiries?id=eq.{enquiry of agency}
  body: {"state": "accepted"}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-3 update the table
  sql: update app.enquiries set answer = 'Yes'
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-4 delete
  sql: delete from enquiries where id = {enquiry of agency}
  request: DELETE enquiries?id=eq.{enquiry of agency}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-4 truncate
  sql: truncate app.enquiries
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-5 accept
  sql: with answered as materialized (select answer_enquiry({enquiry of agency}, true)) select * from answered
  request: POST rpc/answer_enquiry
  body: {"enquiry_id": "{enquiry of agency}", "accept": true}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, other agency, vendor, admin, superadmin
  1/: approved
EN-5 decline
  sql: with answered as materialized (select answer_enquiry({enquiry of agency}, false, reason => 'No time')) select * from answered
  request: POST rpc/answer_enquiry
  body: {"enquiry_id": "{enquiry of agency}", "accept": false, "reason": "No time"}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, other agency, vendor, admin, superadmin
  1/: approved
EN-5 answer one that is not confirmed
  sql: with answered as materialized (select answer_enquiry({enquiry of guest}, true)) select * from answered
  request: POST rpc/answer_enquiry
  body: {"enquiry_id": "{enquiry of guest}", "accept": true}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
EN-5 decline an accepted one
  sql: with answered as materialized (select answer_enquiry({enquiry of vendor}, false)) select * from answered
  request: POST rpc/answer_enquiry
  body: {"enquiry_id": "{enquiry of vendor}", "accept": false}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, other agency, vendor, admin, superadmin
  PT409/409: approved
EN-5 one that doesn't exist
  sql: with answered as materialized (select answer_enquiry({nobody}, true)) select * from answered
  request: POST rpc/answer_enquiry
  body: {"enquiry_id": "{nobody}", "accept": true}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
EN-6 withdraw
  sql: with withdrawn as materialized (select withdraw_enquiry({enquiry of agency})) select * from withdrawn
  request: POST rpc/withdraw_enquiry
  body: {"enquiry_id": "{enquiry of agency}"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, vendor, admin, superadmin
  1/: agency
EN-6 withdraw an accepted one
  sql: with withdrawn as materialized (select withdraw_enquiry({enquiry of vendor})) select * from withdrawn
  request: POST rpc/withdraw_enquiry
  body: {"enquiry_id": "{enquiry of vendor}"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, admin, superadmin
  PT409/409: vendor
EN-6 withdraw a guest's
  sql: with withdrawn as materialized (select withdraw_enquiry({enquiry of guest})) select * from withdrawn
  request: POST rpc/withdraw_enquiry
  body: {"enquiry_id": "{enquiry of guest}"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
EN-7 send
  sql: with sent as materialized (select send_enquiries({agency}, '203.0.113.1', array[{profile of verified}]::uuid[], 'A reel', 'A message of twenty.')) select * from sent
  request: POST rpc/send_enquiries
  body: {"sender": "{agency}", "client": "203.0.113.1", "influencer_ids": ["{profile of verified}"], "deliverables": "A reel", "message": "A message of twenty."}
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  1/: service
EN-8 how many are left
  sql: select enquiries_left()
  request: GET rpc/enquiries_left
  42501: visitor, service
  1/200: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
EN-9 the other's address before it is accepted
  sql: select from enquiry_contact({enquiry of agency}) as address where address is not null
  request: POST rpc/enquiry_contact
  body: {"enquiry_id": "{enquiry of agency}"}
  42501: visitor, service
  0/: unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
EN-9 the other's address
  sql: select from enquiry_contact({enquiry of vendor}) as address where address is not null
  request: POST rpc/enquiry_contact
  body: {"enquiry_id": "{enquiry of vendor}"}
  42501: visitor, service
  0/: unapproved, verified, agency, other agency, admin, superadmin
  1/: approved, vendor
EN-10 read the guests' addresses
  sql: select * from app.enquiry_briefs
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-10 read the links
  sql: select * from app.guest_links
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-10 make a link
  sql: select app.new_guest_link('enquiry', {brief of guest}, '1 day')
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-10 a guest's address
  sql: select app.guest_address({nobody})
  42501: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin, service
EN-11 follow a guest's link
  sql: select guest_enquiry('token of the guest')
  request: POST rpc/guest_enquiry
  body: {"token": "token of the guest"}
  1/: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
EN-11 follow another link
  sql: select guest_enquiry('another token')
  request: POST rpc/guest_enquiry
  body: {"token": "another token"}
  PT404/404: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
EN-12 confirm
  sql: with confirmed as materialized (select confirm_enquiry('token of the guest')) select * from confirmed
  request: POST rpc/confirm_enquiry
  body: {"token": "token of the guest"}
  1/: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
EN-12 confirm with another token
  sql: select confirm_enquiry('another token')
  request: POST rpc/confirm_enquiry
  body: {"token": "another token"}
  PT404/404: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
EN-13 withdraw by the link
  sql: with withdrawn as materialized (select withdraw_guest_enquiry('token of the guest', {enquiry of guest})) select * from withdrawn
  request: POST rpc/withdraw_guest_enquiry
  body: {"token": "token of the guest", "enquiry_id": "{enquiry of guest}"}
  1/: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
EN-13 withdraw another's by the link
  sql: select withdraw_guest_enquiry('token of the guest', {enquiry of agency})
  request: POST rpc/withdraw_guest_enquiry
  body: {"token": "token of the guest", "enquiry_id": "{enquiry of agency}"}
  PT404/404: visitor, unapproved, approved, verified, agency, other agency, vendor, admin, superadmin
  42501: service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

\ir ../finish.sql
