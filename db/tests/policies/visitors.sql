-- Favourites and the newsletter.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'favourites', who, 'select * from favorites', outcome
from (values ('visitor', '42501'), ('agency', '1'), ('vendor', '0'), ('admin', '0'), ('service', '1')) as cell (who, outcome);
insert into act
select 'keep ' || whom, who, format('insert into favorites (influencer_id) values (%L)', tests.id('profile of ' || whom)), outcome
from (values ('vendor', 'verified', '1'), ('agency', 'approved', '23505'), ('vendor', 'unapproved', '42501'), ('unapproved', 'unapproved', '1'), ('visitor', 'verified', '42501')) as cell (who, whom, outcome);
insert into act
select 'keep twice', 'agency', format('insert into favorites (influencer_id) values (%L) on conflict (user_id, influencer_id) do nothing', tests.id('profile of approved')), '0';
insert into act
select 'keep for another', who, format('insert into favorites (user_id, influencer_id) values (%L, %L)', tests.id('agency'), tests.id('profile of verified')), outcome
from (values ('vendor', '42501'), ('admin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'drop', who, 'delete from favorites where influencer_id is not null', outcome
from (values ('visitor', '42501'), ('agency', '1'), ('vendor', '0')) as cell (who, outcome);
-- Without a condition only the delete policy speaks, not the one for reading.
insert into act
select 'drop all', who, 'delete from app.favorites', outcome
from (values ('agency', '1'), ('vendor', '0'), ('admin', '0')) as cell (who, outcome);
insert into act values
  ('move', 'agency', 'update favorites set created_at = now()', '42501'),
  ('subscribe', 'visitor', 'insert into newsletter_subscriptions (email) values (''a@example.test'')', '1'),
  ('subscribe', 'agency', 'insert into newsletter_subscriptions (email) values (''a@example.test'')', '1'),
  ('twice', 'visitor', 'insert into newsletter_subscriptions (email) values (''A@Example.test ''), (''a@example.test'')', '2'),
  ('no address', 'visitor', 'insert into newsletter_subscriptions (email) values (''nobody'')', '23514'),
  ('no address', 'visitor', 'insert into newsletter_subscriptions (email) values (null)', '23502'),
  ('read', 'visitor', 'select * from newsletter_subscriptions', '42501'),
  ('read', 'admin', 'select * from newsletter_subscriptions', '42501'),
  ('read the table', 'visitor', 'select * from app.newsletter_subscriptions', '42501'),
  ('remove', 'agency', 'delete from newsletter_subscriptions', '42501');

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

select tests.become('visitor');
insert into newsletter_subscriptions (email) values (' A@Example.test'), ('a@example.test');
select tests.step_down();
select results_eq('select email from app.newsletter_subscriptions', 'values (''a@example.test'')', 'an address is kept once');

\ir ../finish.sql
