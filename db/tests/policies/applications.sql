-- Applications for gigs: who can apply, read, decide and withdraw. The agency's gig has two: that of `verified` is
-- shortlisted, and `approved` has lost the badge since applying.
\ir ../setup.sql
select tests.people() \gset

copy act (line) from stdin;
AP-1 read
  sql: select * from gig_applications
  request: GET gig_applications
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-1 read the table
  sql: select * from app.gig_applications
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-1 of a gig
  sql: select * from gig_applications where gig_id = {gig of agency} order by created_at desc, id desc
  request: GET gig_applications?gig_id=eq.{gig of agency}&order=created_at.desc,id.desc
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-1 of another gig
  sql: select * from gig_applications where gig_id = {gig of other agency}
  request: GET gig_applications?gig_id=eq.{gig of other agency}
  42501: visitor
  0: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin, service
AP-1 counted
  sql: select * from gig_applications
  request: HEAD gig_applications ; Prefer: count=exact
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-1 with the applicant
  sql: select * from gig_applications join influencers on influencers.id = influencer_id
  request: GET gig_applications?select=*,influencers!inner(name)
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-1 with the gig
  sql: select * from gig_applications join gigs on gigs.id = gig_id
  request: GET gig_applications?select=*,gigs!inner(title)
  42501: visitor
  0: unapproved, approved, other agency, new agency, vendor
  1: verified
  2: agency, admin, superadmin, service
AP-1 through gigs
  sql: select from gigs join gig_applications on gig_id = gigs.id and state = 'shortlisted'
  request: GET gigs?select=id,gig_applications!inner(pitch)&gig_applications.state=eq.shortlisted
  42501: visitor
  0: unapproved, approved, other agency, new agency, vendor
  1: verified, agency, admin, superadmin, service
AP-1 through profiles
  sql: select from influencers join gig_applications on influencer_id = influencers.id
  request: GET influencers?select=id,gig_applications!inner(pitch)
  42501: visitor
  0: unapproved, other agency, new agency, vendor
  1: approved, verified
  2: agency, admin, superadmin, service
AP-2 states of gigs
  sql: select * from gig_status
  request: GET gig_status
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
AP-2 with the gigs
  sql: select gigs.id from gigs cross join lateral app.gig_status(gigs)
  request: GET gigs?select=id,gig_status!inner(state,applicants)
  42501: visitor
  0: unapproved, approved, new agency, vendor
  2: verified, admin, superadmin, service
  1: agency, other agency
AP-2 applicants of gigs
  sql: select * from gig_status where applicants > 0
  request: GET gig_status?applicants=gt.0
  42501: visitor
  0: unapproved, approved, other agency, new agency, vendor
  1: verified, agency, admin, superadmin, service
AP-2 all of them
  sql: select * from gig_status where applicants = 2
  request: GET gig_status?applicants=eq.2
  42501: visitor
  0: unapproved, approved, verified, other agency, new agency, vendor
  1: agency, admin, superadmin, service
AP-3 apply
  sql: insert into gig_applications (gig_id, pitch) values ({gig of other agency}, 'I would love to host this festival.')
  request: POST gig_applications
  body: {"gig_id": "{gig of other agency}", "pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  1: verified
AP-3 with a quote
  sql: insert into gig_applications (gig_id, pitch, quote) values ({gig of other agency}, 'I would love to host this festival.', 1500)
  request: POST gig_applications
  body: {"gig_id": "{gig of other agency}", "pitch": "I would love to host this festival.", "quote": 1500}
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  1: verified
AP-3 on the table
  sql: insert into app.gig_applications (gig_id, pitch) values ({gig of other agency}, 'I would love to host this festival.')
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  1: verified
AP-3 again
  sql: insert into gig_applications (gig_id, pitch) values ({gig of agency}, 'I would love to host this festival.')
  request: POST gig_applications
  body: {"gig_id": "{gig of agency}", "pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  PT409/409: verified
AP-3 for another
  sql: insert into gig_applications (gig_id, influencer_id, pitch) values ({gig of other agency}, {profile of approved}, 'I would love to host this festival.')
  request: POST gig_applications
  body: {"gig_id": "{gig of other agency}", "influencer_id": "{profile of approved}", "pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1: service
AP-3 in another state
  sql: insert into gig_applications (gig_id, pitch, state) values ({gig of other agency}, 'I would love to host this festival.', 'shortlisted')
  request: POST gig_applications
  body: {"gig_id": "{gig of other agency}", "pitch": "I would love to host this festival.", "state": "shortlisted"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
AP-3 for a missing gig
  sql: insert into gig_applications (gig_id, pitch) values ({nobody}, 'I would love to host this festival.')
  request: POST gig_applications
  body: {"gig_id": "{nobody}", "pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  PT404/404: verified
  23503: service
AP-3 without a gig
  sql: insert into gig_applications (pitch) values ('I would love to host this festival.')
  request: POST gig_applications
  body: {"pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  PT404/404: verified
  1: service
AP-4 accept by an update
  sql: update gig_applications set state = 'accepted' where id = {application of verified}
  request: PATCH gig_applications?id=eq.{application of verified}
  body: {"state": "accepted"}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1: service
AP-4 change the pitch
  sql: update gig_applications set pitch = 'I would love to host this festival.' where gig_id = {gig of agency}
  request: PATCH gig_applications?gig_id=eq.{gig of agency}
  body: {"pitch": "I would love to host this festival."}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  2: service
AP-4 delete
  sql: delete from gig_applications where gig_id = {gig of agency}
  request: DELETE gig_applications?gig_id=eq.{gig of agency}
  42501: visitor, unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
  2: service
AP-5 shortlist
  sql: with done as materialized (select decide_application({application of approved}, 'shortlisted')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{application of approved}", "decision": "shortlisted"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1/: agency
AP-5 accept
  sql: with done as materialized (select decide_application({application of verified}, 'accepted')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{application of verified}", "decision": "accepted"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1/: agency
AP-5 decline
  sql: with done as materialized (select decide_application({application of verified}, 'declined')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{application of verified}", "decision": "declined"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1/: agency
AP-5 accept before the short list
  sql: with done as materialized (select decide_application({application of approved}, 'accepted')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{application of approved}", "decision": "accepted"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  PT409/409: agency
AP-5 of a missing application
  sql: with done as materialized (select decide_application({nobody}, 'declined')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{nobody}", "decision": "declined"}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
AP-5 another decision
  sql: with done as materialized (select decide_application({application of verified}, 'completed')) select from done
  request: POST rpc/decide_application
  body: {"application_id": "{application of verified}", "decision": "completed"}
  42501: visitor, service
  PT400/400: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
AP-6 decline both
  sql: with done as materialized (select decline_applications(array[{application of verified}, {application of approved}]::uuid[])) select from done
  request: POST rpc/decline_applications
  body: {"application_ids": ["{application of verified}", "{application of approved}"]}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, other agency, new agency, vendor, admin, superadmin
  1/: agency
AP-6 decline one and a missing one
  sql: with done as materialized (select decline_applications(array[{application of verified}, {nobody}]::uuid[])) select from done
  request: POST rpc/decline_applications
  body: {"application_ids": ["{application of verified}", "{nobody}"]}
  42501: visitor, service
  PT404/404: unapproved, approved, verified, agency, other agency, new agency, vendor, admin, superadmin
AP-7 withdraw
  sql: with done as materialized (select withdraw_application({application of verified})) select from done
  request: POST rpc/withdraw_application
  body: {"application_id": "{application of verified}"}
  42501: visitor, service
  PT404/404: unapproved, approved, agency, other agency, new agency, vendor, admin, superadmin
  1/: verified
AP-7 withdraw without a badge
  sql: with done as materialized (select withdraw_application({application of approved})) select from done
  request: POST rpc/withdraw_application
  body: {"application_id": "{application of approved}"}
  42501: visitor, service
  PT404/404: unapproved, verified, agency, other agency, new agency, vendor, admin, superadmin
  1/: approved
\.

select * from tests.matrix();
\ir ../finish.sql
