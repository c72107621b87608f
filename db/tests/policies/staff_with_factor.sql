-- Whom a superadmin sees as staff with a second factor: only verified ones count, and only those of staff.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  insert into auth.mfa_factors (id, user_id, secret, secret_key_id, verified_at, created_at, updated_at)
  select tests.id('factor of ' || person), tests.id(person), 'x', 'key', verified, now(), now()
  from (values ('admin', now()), ('superadmin', null), ('agency', now()), ('verified', null)) as factor (person, verified);
end $$;

select tests.become('superadmin') \g /dev/null
create temporary table seen as select public.staff_with_factor() as staff;
select tests.step_down() \g /dev/null
select is(staff, array[tests.id('admin')], 'neither an unverified factor nor one of another account') from seen;

\ir ../finish.sql
