-- Applications for gigs: who applies, reads, decides and withdraws.
\ir ../setup.sql
do $$
begin
  perform tests.people();
  perform tests.influencer('eager', true, 'gold');
  perform tests.influencer('former', true, 'gold');
  insert into app.gigs (id, agency_id, title, description) values (tests.id('another gig'), tests.id('profile of agency'), 'Another gig', 'Of agency');
  -- One shortlisted and one applied, whose badge is taken away afterwards; and another gig's.
  insert into app.gig_applications (id, gig_id, influencer_id, pitch, quote, state, decided_at, digested_at) values
    (tests.id('application of eager'), tests.id('gig of agency'), tests.id('profile of eager'), 'I have hosted ten food festivals.', 500, 'shortlisted', now(), now()),
    (tests.id('application of former'), tests.id('gig of agency'), tests.id('profile of former'), 'I film and cut reels every day.', null, 'applied', null, now()),
    (tests.id('application of verified'), tests.id('another gig'), tests.id('profile of verified'), 'I have always wanted to do this.', null, 'applied', null, now());
  perform set_config('session_replication_role', 'replica', true);
  update app.influencer_moderation set badge_type = 'none' where user_id = tests.id('former');
  update app.influencers set badge_type = 'none' where user_id = tests.id('former');
  perform set_config('session_replication_role', 'origin', true);
end $$;

copy act (id, sql, request, body, visitor, unapproved, approved, verified, agency, other_agency, new_agency, vendor, admin, superadmin, service) from stdin with (delimiter '|');
AP-1 read | select * from gig_applications | GET gig_applications | | 42501 | 0 | 0 | 1 | 3 | 0 | 0 | 0 | 3 | 3 | 3
AP-1 read the table | select * from app.gig_applications | | | 42501 | 0 | 0 | 1 | 3 | 0 | 0 | 0 | 3 | 3 | 3
AP-1 of a gig | select * from gig_applications where gig_id = {gig of agency} order by created_at desc, id desc | GET gig_applications?gig_id=eq.{gig of agency}&order=created_at.desc,id.desc | | 42501 | 0 | 0 | 0 | 2 | 0 | 0 | 0 | 2 | 2 | 2
AP-1 counted | select * from gig_applications | HEAD gig_applications ; Prefer: count=exact | | 42501 | 0 | 0 | 1 | 3 | 0 | 0 | 0 | 3 | 3 | 3
AP-1 with the applicant | select * from gig_applications join influencers on influencers.id = influencer_id | GET gig_applications?select=*,influencers!inner(name) | | 42501 | 0 | 0 | 1 | 3 | 0 | 0 | 0 | 3 | 3 | 3
AP-1 through gigs | select gigs.id from gigs join gig_applications on gig_id = gigs.id | GET gigs?select=id,gig_applications!inner(pitch)&gig_applications.state=eq.applied | | /401 | /0 | /0 | /1 | /2 | /0 | /0 | /0 | /2 | /2 | /2
AP-1 through profiles | select influencers.id from influencers join gig_applications on influencer_id = influencers.id | GET influencers?select=id,gig_applications!inner(pitch) | | 42501 | 0 | 0 | 1 | 3 | 0 | 0 | 0 | 3 | 3 | 3
AP-2 states of gigs | select * from gig_status | GET gig_status | | 42501 | 0 | 0 | 3 | 2 | 1 | 0 | 0 | 3 | 3 | 3
AP-2 with the gigs | select gigs.id from gigs cross join lateral app.gig_status(gigs) | GET gigs?select=id,gig_status!inner(state,applicants) | | 42501 | 0 | 0 | 3 | 2 | 1 | 0 | 0 | 3 | 3 | 3
AP-2 applicants of gigs | select * from gig_status where applicants > 0 | GET gig_status?applicants=gt.0 | | 42501 | 0 | 0 | 1 | 2 | 0 | 0 | 0 | 2 | 2 | 2
AP-3 apply | insert into gig_applications (gig_id, pitch) values ({gig of agency}, 'I would love to host this festival.') | POST gig_applications | {"gig_id": "{gig of agency}", "pitch": "I would love to host this festival."} | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-3 with a quote | insert into gig_applications (gig_id, pitch, quote) values ({gig of other agency}, 'I would love to host this festival.', 1500) | POST gig_applications | {"gig_id": "{gig of other agency}", "pitch": "I would love to host this festival.", "quote": 1500} | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-3 on the table | insert into app.gig_applications (gig_id, pitch) values ({gig of agency}, 'I would love to host this festival.') | | | 42501 | 42501 | 42501 | 1 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-3 for another | insert into gig_applications (gig_id, influencer_id, pitch) values ({gig of agency}, {profile of approved}, 'I would love to host this festival.') | POST gig_applications | {"gig_id": "{gig of agency}", "influencer_id": "{profile of approved}", "pitch": "I would love to host this festival."} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 1
AP-3 in another state | insert into gig_applications (gig_id, pitch, state) values ({gig of agency}, 'I would love to host this festival.', 'accepted') | POST gig_applications | {"gig_id": "{gig of agency}", "pitch": "I would love to host this festival.", "state": "accepted"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-3 for a missing gig | insert into gig_applications (gig_id, pitch) values ({nobody}, 'I would love to host this festival.') | POST gig_applications | {"gig_id": "{nobody}", "pitch": "I would love to host this festival."} | 42501 | 42501 | 42501 | PT404/404 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 23503
AP-3 without a gig | insert into gig_applications (pitch) values ('I would love to host this festival.') | POST gig_applications | {"pitch": "I would love to host this festival."} | 42501 | 42501 | 42501 | PT404/404 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-4 accept by an update | update gig_applications set state = 'accepted' where gig_id = {gig of agency} | PATCH gig_applications?gig_id=eq.{gig of agency} | {"state": "accepted"} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 |
AP-4 change the pitch | update gig_applications set pitch = 'I would love to host another festival.' where gig_id = {gig of agency} | PATCH gig_applications?gig_id=eq.{gig of agency} | {"pitch": "I would love to host another festival."} | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
AP-4 delete | delete from gig_applications where gig_id = {gig of agency} | DELETE gig_applications?gig_id=eq.{gig of agency} | | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 42501 | 2
AP-5 shortlist | with done as materialized (select decide_application({application of former}, 'shortlisted')) select from done | POST rpc/decide_application | {"application_id": "{application of former}", "decision": "shortlisted"} | 42501 | PT404/404 | PT404/404 | PT404/404 | 1 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-5 accept | with done as materialized (select decide_application({application of eager}, 'accepted')) select from done | POST rpc/decide_application | {"application_id": "{application of eager}", "decision": "accepted"} | 42501 | PT404/404 | PT404/404 | PT404/404 | 1 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-5 accept before the short list | with done as materialized (select decide_application({application of former}, 'accepted')) select from done | POST rpc/decide_application | {"application_id": "{application of former}", "decision": "accepted"} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT409/409 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-5 another decision | with done as materialized (select decide_application({application of eager}, 'completed')) select from done | POST rpc/decide_application | {"application_id": "{application of eager}", "decision": "completed"} | 42501 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | PT400/400 | 42501
AP-5 of a missing application | with done as materialized (select decide_application({nobody}, 'declined')) select from done | POST rpc/decide_application | {"application_id": "{nobody}", "decision": "declined"} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-6 decline both | with done as materialized (select decline_applications(array[{application of eager}, {application of former}]::uuid[])) select from done | POST rpc/decline_applications | {"application_ids": ["{application of eager}", "{application of former}"]} | 42501 | PT404/404 | PT404/404 | PT404/404 | 1 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-6 decline one and a missing one | with done as materialized (select decline_applications(array[{application of eager}, {nobody}]::uuid[])) select from done | POST rpc/decline_applications | {"application_ids": ["{application of eager}", "{nobody}"]} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-7 withdraw | with done as materialized (select withdraw_application({application of verified})) select from done | POST rpc/withdraw_application | {"application_id": "{application of verified}"} | 42501 | PT404/404 | PT404/404 | 1 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
AP-7 withdraw another's | with done as materialized (select withdraw_application({application of eager})) select from done | POST rpc/withdraw_application | {"application_id": "{application of eager}"} | 42501 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | PT404/404 | 42501
\.

select * from tests.matrix();
\ir ../finish.sql
