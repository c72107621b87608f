-- Acts on reviews, suspicious texts and reminders don't affect others.
\ir ../setup.sql
do $$ begin perform tests.people(); delete from app.notices; delete from serasi.mail_outbox; delete from app.reports; end $$;

-- Publishing a review doesn't change the other one, which was published before.
do $$ begin
  perform tests.review('of the client', 'half', 'client', 3);
  update app.reviews set published_at = now() - interval '1 hour' where id = tests.id('of the client');
  perform app.publish_reviews(tests.id('half'));
end $$;
select results_eq('select now() - published_at from app.reviews where collaboration_id = tests.id(''half'') order by 1', $$values ('0'::interval), ('1 hour'::interval)$$, 'RT-1 each is published once');
select is((select count(*) from app.notices where kind = 'review_published'), 1::bigint, 'RT-1 and told once');

-- The same suspicious words in two gigs, and in a report about another kind of subject.
do $$ begin
  insert into app.reports (kind, subject_id, reason, words, snapshot) values ('review', tests.id('gig of agency'), 'words', '{deposit}', '{}');
  update app.gigs set description = 'Pay the deposit' where agency_id in (tests.id('profile of agency'), tests.id('profile of other agency'));
end $$;
select is((select count(*) from app.reports where kind = 'gig' and words = '{deposit}'), 2::bigint, 'RT-2 each text is reported');

-- Reminders of two gigs, only one of which closes soon.
do $$ begin
  update app.gig_applications set state = 'shortlisted', decided_at = now();
  insert into app.gig_applications (gig_id, influencer_id, pitch, state, decided_at)
  values (tests.id('gig of other agency'), tests.id('profile of verified'), 'I would love to host this festival.', 'shortlisted', now());
  update app.gigs set closes_on = (now() at time zone 'Asia/Kuala_Lumpur')::date + case id when tests.id('gig of agency') then 1 else 30 end;
  delete from app.notices;
  perform app.remind_of_closing();
  perform app.tell_waiting_applicants();
end $$;
select is((select count(*) from app.notices where kind = 'gig_closing'), 2::bigint, 'RT-3 those on the short list of the other gig are not reminded');
select is((select count(*) from app.gigs where reminded_for is not null), 1::bigint, 'RT-3 and can be later');

-- Replies.
select throws_ok(format('select app.reply_to_review(%L, ''Thanks'')', tests.id('review of agency')), 'PT404', 'This review doesn''t exist, or you have not received it', 'RT-4 nobody replies without an account');
do $$ begin
  update app.collaborations set state = 'completed', completed_at = now() where id = tests.id('guest work');
  perform tests.review('of the guest', 'guest work', 'influencer', 4);
end $$;
select throws_ok(format('select app.reply_to_review(%L, ''Thanks'')', tests.id('of the guest')), 'PT404', 'This review doesn''t exist, or you have not received it', 'RT-4 nor as a guest');
do $$ begin perform tests.become('agency'); end $$;
select throws_ok(format('select reply_to_review(%L, ''  '')', tests.id('review of agency')), '23514', 'Enter a reply', 'RT-4 a reply without a text');
select tests.step_down() \g /dev/null

-- Blocked addresses.
do $$ begin
  insert into app.enquiry_briefs (id, sender_key, guest_email) values (tests.id('mei'), 'mei', 'mei@example.test');
  insert into app.enquiries (brief_id, influencer_id, sender_key, deliverables, message, state, opened_at, answered_at, collaboration_id)
  values (tests.id('mei'), tests.id('profile of other influencer'), 'mei', 'A reel', 'A message of twenty.', 'accepted', now(), now(), tests.id('guest work'));
  insert into app.reviews (id, collaboration_id, influencer_id, author_key, side, rating, text, publish_at)
  values (tests.id('by the guest'), tests.id('guest work'), tests.id('profile of other influencer'), 'mei', 'client', 1, 'It was not good to work together.', now());
  insert into app.reports (id, kind, subject_id, reporter_id, reason, snapshot)
  select tests.id('about ' || name), 'review', tests.id(name), tests.id('vendor'), 'spam', '{}' from unnest('{of the guest,by the guest,review of agency}'::text[]) as name;
end $$;
update app.reviews set author_id = null where id = tests.id('of the guest');
select is(app.reported_guest(reports), case id when tests.id('about by the guest') then 'mei@example.test' end, 'RT-5 only the guest''s, for its own review')
from app.reports where kind = 'review' and reporter_id is not null;
delete from app.reviews where id = tests.id('by the guest');
delete from app.influencers where user_id = tests.id('other influencer');
select is(app.review_refusal(collaborations, 'client'), 'The collaboration is completed, and the other side no longer has an account', 'RT-6 a guest can''t review who has left')
from app.collaborations where id = tests.id('guest work');
do $$ begin
  perform tests.collaboration('with a former member', 'verified', 'agency', 'completed');
  update app.collaborations set client_user_id = null, agency_id = null where id = tests.id('with a former member');
end $$;
select is(app.review_refusal(collaborations, 'influencer'), 'The collaboration is completed, and the other side no longer has an account', 'RT-6 nor an influencer a former member')
from app.collaborations where id = tests.id('with a former member');

-- Published reviews don't count toward the limit of 50 due reviews.
do $$ begin
  perform tests.collaboration('old ' || n, 'verified', 'agency', 'completed') from generate_series(1, 51) as n;
  perform tests.review('old ' || n, 'old ' || n, 'client', 3, true) from generate_series(1, 51) as n;
  update app.reviews set publish_at = now() - interval '1 day', published_at = now() where id in (select tests.id('old ' || n) from generate_series(1, 50) as n);
  update app.reviews set publish_at = now() where id = tests.id('old 51');
  perform app.publish_due_reviews();
end $$;
select isnt((select published_at from app.reviews where id = tests.id('old 51')), null, 'RT-7 it is published');
\ir ../finish.sql
