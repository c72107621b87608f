-- Section 1 of the matrix: who may do what with roles.
begin;
set local search_path = tap, public;
select no_plan();
select tests.people();

create temporary table act (id text, who text, act text, outcome text);

insert into act
select 'UR-1 own', who, format('select * from user_roles where user_id = %L', tests.id(who)), outcome
from (values ('visitor', '42501'), ('unapproved', '1'), ('agency', '1'), ('vendor', '1'), ('admin', '1'), ('superadmin', '1')) as cell (who, outcome);
insert into act
select 'UR-2 another''s', who, format('select * from user_roles where user_id = %L', tests.id('approved')), outcome
from (values ('visitor', '42501'), ('verified', '0'), ('agency', '0'), ('admin', '0'), ('superadmin', '0'), ('service', '1')) as cell (who, outcome);
insert into act
select 'UR-3 the staff', who, 'select user_id, role from user_roles where role in (''admin'', ''superadmin'')', outcome
from (values ('visitor', '42501'), ('verified', '0'), ('agency', '0'), ('vendor', '0'), ('admin', '3'), ('superadmin', '3'), ('service', '3')) as cell (who, outcome);
insert into act
select 'UR-4 to 7 give ' || role || ' to ' || whom, who, format('insert into user_roles (user_id, role) values (%L, %L)', tests.id(whom), role), outcome
from (values ('approved', 'admin'), ('approved', 'superadmin'), ('approved', 'vendor')) as gift (whom, role)
cross join (values ('visitor', '42501'), ('approved', '42501'), ('agency', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'UR-8 change', who, format('update user_roles set role = ''admin'' where user_id = %L', tests.id('approved')), outcome
from (values ('visitor', '42501'), ('approved', '42501'), ('admin', '42501'), ('superadmin', '42501'), ('service', '1')) as cell (who, outcome);
insert into act
select 'UR-9 upsert', who, format('insert into user_roles (user_id, role) values (%L, ''admin'') on conflict (user_id, role) do update set role = excluded.role', tests.id(who)), '42501'
from unnest(array['visitor', 'approved', 'agency', 'admin', 'superadmin']) as who;
insert into act
select 'UR-10 delete own', who, format('delete from user_roles where user_id = %L', tests.id(who)), outcome
from (values ('visitor', '42501'), ('unapproved', '0'), ('verified', '0'), ('agency', '0'), ('vendor', '0'), ('admin', '0'), ('superadmin', '0')) as cell (who, outcome);
insert into act
select 'UR-11 delete an admin''s', who, format('delete from user_roles where user_id = %L', tests.id('admin')), outcome
from (values ('visitor', '42501'), ('verified', '0'), ('agency', '0'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);
insert into act
select 'UR-12 delete another superadmin''s', who, format('delete from user_roles where user_id = %L', tests.id('other superadmin')), outcome
from (values ('admin', '0'), ('superadmin', '1'), ('service', '1')) as cell (who, outcome);
insert into act
select 'UR-14 delete an influencer''s', who, format('delete from user_roles where user_id = %L', tests.id('approved')), outcome
from (values ('admin', '0'), ('superadmin', '0'), ('service', '1')) as cell (who, outcome);

select is(tests.outcome(who, act), outcome, id || ', as ' || who) from act;

-- The last superadmin.
select tests.become('superadmin');
delete from user_roles where user_id = tests.id('other superadmin');
select tests.step_down();
select is(tests.outcome('superadmin', 'delete from user_roles where user_id = auth.uid()'), '23001', 'UR-13: the last superadmin stays');
select is(tests.refusal('superadmin', 'delete from user_roles where role = ''superadmin'''), 'The last superadmin cannot be removed', 'UR-13: and is told');
select is(tests.outcome('service', 'delete from user_roles where role = ''superadmin'''), '1', 'UR-13: the service key may');
set local role auth_admin;
select throws_ok(format('delete from auth.users where id = %L', tests.id('superadmin')), '23001', null, 'deleting the account is no way round');
select lives_ok(format('delete from auth.users where id = %L', tests.id('admin')), 'an admin''s account can go');
reset role;

-- The other twin of UR-12: with one left over, even in one statement, not both.
select tests.sign_up('third superadmin', '{}', '{"marketplace_role": "superadmin"}');
select is(tests.outcome('third superadmin', 'delete from user_roles where role = ''superadmin'''), '1', 'all but oneself');

select * from finish();
rollback;
