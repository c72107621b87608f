-- Enquiries: who can read them, and who can call the functions that send, answer and withdraw them.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
EN-1 read | select * from enquiries | GET enquiries | | 42501 | 0 | 2 | 1 | 1 | 1 | 1 | 0 | 0 | 4
EN-1 read the table | select id, state from app.enquiries | | | 42501 | 0 | 2 | 1 | 1 | 1 | 1 | 0 | 0 | 4
EN-1 counted | select * from enquiries | HEAD enquiries ; Prefer: count=exact | | 42501 | 0 | 2 | 1 | 1 | 1 | 1 | 0 | 0 | 4
EN-1 one of an agency | select * from enquiries where id = {enquiry of agency} | GET enquiries?id=eq.{enquiry of agency} | | 42501 | 0 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 1
EN-1 a guest's unconfirmed one | select * from enquiries where id = {enquiry of guest} | GET enquiries?id=eq.{enquiry of guest} | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1
EN-1 by the sender's address | select * from enquiries where sender_email = 'vendor@example.test' | GET enquiries?sender_email=eq.vendor@example.test | | 42501 | 0 | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 1
EN-1 addresses of what is not accepted | select * from enquiries where sender_email is not null and state <> 'accepted' | GET enquiries?sender_email=not.is.null&state=neq.accepted | | 42501 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0
EN-1 with the influencer | select enquiries.id from enquiries join influencers on influencers.id = influencer_id | GET enquiries?select=id,influencers!inner(name) | | 42501 | 0 | 2 | 1 | 1 | 1 | 1 | 0 | 0 | 4
EN-1 an internal column | select sender_key from app.enquiries | GET enquiries?select=sender_key | | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400 | 42501/400
EN-2 insert | insert into enquiries (influencer_id, deliverables, message, state) values ({profile of approved}, 'A reel', 'A message of twenty.', 'open') | POST enquiries | {"influencer_id": "{profile of approved}", "deliverables": "A reel", "message": "A message of twenty.", "state": "open"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-2 insert into the table | insert into app.enquiries (brief_id, sender_key, deliverables, message, state) values ({brief of agency}, 'x', 'A reel', 'A message of twenty.', 'unconfirmed') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-3 accept by an update | update enquiries set state = 'accepted' where id = {enquiry of agency} | PATCH enquiries?id=eq.{enquiry of agency} | {"state": "accepted"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-3 update the table | update app.enquiries set answer = 'Yes' | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-4 delete | delete from enquiries where id = {enquiry of agency} | DELETE enquiries?id=eq.{enquiry of agency} | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-4 truncate | truncate app.enquiries | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-5 accept | with answered as materialized (select answer_enquiry({enquiry of agency}, true)) select * from answered | POST rpc/answer_enquiry | {"enquiry_id": "{enquiry of agency}", "accept": true} | 42501 | PT404/404 | 1/ | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-5 decline | with answered as materialized (select answer_enquiry({enquiry of agency}, false, reason => 'No time')) select * from answered | POST rpc/answer_enquiry | {"enquiry_id": "{enquiry of agency}", "accept": false, "reason": "No time"} | 42501 | PT404/404 | 1/ | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-5 answer one that is not confirmed | with answered as materialized (select answer_enquiry({enquiry of guest}, true)) select * from answered | POST rpc/answer_enquiry | {"enquiry_id": "{enquiry of guest}", "accept": true} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-5 decline an accepted one | with answered as materialized (select answer_enquiry({enquiry of vendor}, false)) select * from answered | POST rpc/answer_enquiry | {"enquiry_id": "{enquiry of vendor}", "accept": false} | 42501 | PT404/404 | PT409/409 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-5 one that doesn't exist | with answered as materialized (select answer_enquiry({nobody}, true)) select * from answered | POST rpc/answer_enquiry | {"enquiry_id": "{nobody}", "accept": true} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-6 withdraw | with withdrawn as materialized (select withdraw_enquiry({enquiry of agency})) select * from withdrawn | POST rpc/withdraw_enquiry | {"enquiry_id": "{enquiry of agency}"} | 42501 | PT404/404 | PT404/404 | PT404/404 | 1/ | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-6 withdraw an accepted one | with withdrawn as materialized (select withdraw_enquiry({enquiry of vendor})) select * from withdrawn | POST rpc/withdraw_enquiry | {"enquiry_id": "{enquiry of vendor}"} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT409/409 | PT404/404 | PT404/404 | 42501
EN-6 withdraw a guest's | with withdrawn as materialized (select withdraw_enquiry({enquiry of guest})) select * from withdrawn | POST rpc/withdraw_enquiry | {"enquiry_id": "{enquiry of guest}"} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-7 send | with sent as materialized (select send_enquiries({agency}, '203.0.113.1', array[{profile of verified}]::uuid[], 'A reel', 'A message of twenty.')) select * from sent | POST rpc/send_enquiries | {"sender": "{agency}", "client": "203.0.113.1", "influencer_ids": ["{profile of verified}"], "deliverables": "A reel", "message": "A message of twenty."} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1/
EN-8 how many are left | select enquiries_left() | GET rpc/enquiries_left | | 42501 | 1/200 | 1/200 | 1/200 | 1/200 | 1/200 | 1/200 | 1/200 | 1/200 | 42501
EN-9 the other's address before it is accepted | select from enquiry_contact({enquiry of agency}) as address where address is not null | POST rpc/enquiry_contact | {"enquiry_id": "{enquiry of agency}"} | 42501 | 0/ | 0/ | 0/ | 0/ | 0/ | 0/ | 0/ | 0/ | 42501
EN-9 the other's address | select from enquiry_contact({enquiry of vendor}) as address where address is not null | POST rpc/enquiry_contact | {"enquiry_id": "{enquiry of vendor}"} | 42501 | 0/ | 1/ | 0/ | 0/ | 0/ | 1/ | 0/ | 0/ | 42501
EN-10 read the guests' addresses | select * from app.enquiry_briefs | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-10 read the links | select * from app.guest_links | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-10 make a link | select app.new_guest_link('enquiry', {brief of guest}, '1 day') | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-10 a guest's address | select app.guest_address({nobody}) | | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501
EN-11 follow a guest's link | select guest_enquiry('token of the guest') | POST rpc/guest_enquiry | {"token": "token of the guest"} | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 42501
EN-11 follow another link | select guest_enquiry('another token') | POST rpc/guest_enquiry | {"token": "another token"} | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-12 confirm | with confirmed as materialized (select confirm_enquiry('token of the guest')) select * from confirmed | POST rpc/confirm_enquiry | {"token": "token of the guest"} | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 42501
EN-12 confirm with another token | select confirm_enquiry('another token') | POST rpc/confirm_enquiry | {"token": "another token"} | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
EN-13 withdraw by the link | with withdrawn as materialized (select withdraw_guest_enquiry('token of the guest', {enquiry of guest})) select * from withdrawn | POST rpc/withdraw_guest_enquiry | {"token": "token of the guest", "enquiry_id": "{enquiry of guest}"} | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 1/ | 42501
EN-13 withdraw another's by the link | select withdraw_guest_enquiry('token of the guest', {enquiry of agency}) | POST rpc/withdraw_guest_enquiry | {"token": "token of the guest", "enquiry_id": "{enquiry of agency}"} | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

\ir ../finish.sql
