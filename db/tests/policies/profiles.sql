-- Section 2 of the matrix: e-mail addresses.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;

drop table act cascade;
create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'PR-1 own', who, format('select * from profiles where id = %L', tests.id(who)), outcome
from (values ('visitor', '42501'), ('unapproved', '1'), ('agency', '1'), ('vendor', '1'), ('admin', '1')) as cell (who, outcome);
insert into act
select 'PR-4/5 everybody''s', who, 'select * from profiles where email like ''%@example.test''', outcome
from (values ('visitor', '42501'), ('verified', '1'), ('agency', '1'), ('vendor', '1'), ('admin', '15'), ('superadmin', '15'), ('service', '15')) as cell (who, outcome);
insert into act
select 'PR-6 to 8 ' || left(act, 6), who, act, '42501'
from unnest(array['visitor', 'verified', 'agency', 'admin', 'superadmin']) as who
cross join unnest(array[format('insert into profiles (id, email) values (%L, ''x@example.test'')', tests.id('admin')),
  'update profiles set email = ''x@example.test''', 'delete from profiles']) as act;

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

update auth.users set email = 'moved@example.test' where id = tests.id('agency');
select is(tests.reads('agency', 'select email from profiles'), 'moved@example.test', 'a changed address is copied');

\ir ../finish.sql
