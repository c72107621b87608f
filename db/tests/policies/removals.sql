-- Deleting a profile deletes its gigs and queues its images, which the storage service removes.
\ir ../setup.sql
do $$ begin perform tests.people(); end $$;
insert into storage.objects (bucket_id, name)
select 'images', tests.id(person) || '/' || file
from unnest(array['approved', 'agency', 'vendor', 'verified']) as person
cross join unnest(array['cover-1.png', 'profile-2.png', 'content-0-3.png', 'banner-4.png', 'logo-5.png', 'gallery-7-6.png', 'vendor-logo-7.png', 'notes.png', 'deeper/cover-8.png']) as file;
insert into storage.objects (bucket_id, name) values ('images', tests.id('approved') || 'x/cover-1.png'), ('images', 'demo/cover-1.png');
insert into storage.buckets (id, name) values ('other', 'other');
insert into storage.objects (bucket_id, name) values ('other', tests.id('approved') || '/cover-2.png');

copy act (line) from stdin;
RM-1 the queue
  sql: select * from storage.removals
  42501: visitor, approved, agency, vendor, admin, superadmin, service
RM-2 queue another's image
  sql: insert into storage.removals (bucket_id, name) values ('images', 'demo/cover-1.png')
  42501: visitor, approved, agency, vendor, admin, superadmin, service
RM-3 remove from the queue
  sql: delete from storage.removals
  42501: visitor, approved, agency, vendor, admin, superadmin, service
\.

select tests.cell(id, person, sql, wanted) from cell order by position, turn;

create function pg_temp.queued(person text, act text) returns text[] language plpgsql as $$
declare
  names text[];
begin
  perform tests.become(person);
  execute act;
  perform tests.step_down();
  select array_agg(split_part(name, '/', 1) || '/' || substr(name, strpos(name, '/') + 1) order by name) into names from storage.removals;
  delete from storage.removals;
  return names;
end $$;
create function pg_temp.files(person text, variadic files text[]) returns text[] language sql as $$
  select array_agg(tests.id(person) || '/' || file order by file) from unnest(files) as file
$$;

select is(pg_temp.queued('admin', format('delete from influencers where id = %L', tests.id('profile of approved'))),
  pg_temp.files('approved', 'cover-1.png', 'profile-2.png', 'content-0-3.png', 'deeper/cover-8.png'), 'RM-4 an influencer''s images, but not those of another portal');
select is(pg_temp.queued('admin', format('delete from agencies where id = %L', tests.id('profile of agency'))),
  pg_temp.files('agency', 'banner-4.png', 'logo-5.png', 'gallery-7-6.png'), 'RM-4 an agency''s images');
select is(pg_temp.queued('superadmin', format('delete from vendors where id = %L', tests.id('profile of vendor'))),
  pg_temp.files('vendor', 'vendor-logo-7.png'), 'RM-4 a vendor''s images');
select is(pg_temp.queued('agency', format('delete from influencers where id = %L', tests.id('profile of verified'))), null, 'RM-5 nothing is queued if nothing was deleted');
select is((select count(*) from app.gigs where agency_id = tests.id('profile of agency')), 0::bigint, 'RM-6 the agency''s gigs are deleted');
select is((select count(*) from app.gigs), 1::bigint, 'RM-6 other gigs remain');
select is((select string_agg(role, ' ' order by role) from app.user_roles where user_id in (tests.id('approved'), tests.id('agency'), tests.id('vendor'))), 'agency influencer vendor', 'RM-7 accounts and roles stay');
select is(tests.outcome('approved', 'insert into influencers (name, username, category) values (''Again'', ''again'', ''Tech'')'), '1', 'RM-7 the account can create a new profile');

-- Deleting an account deletes its profile and queues all images in its folder. Other buckets are left alone.
insert into storage.buckets (id, name) values ('attachments', 'attachments');
insert into storage.objects (bucket_id, name) values ('attachments', tests.id('verified') || '/contract.pdf');
set local role auth_admin;
select lives_ok(format('delete from auth.users where id = %L', tests.id('verified')), 'RM-8 an account can be deleted');
reset role;
select is((select array_agg(name order by name) from storage.removals), (select array_agg(name order by name) from storage.objects where bucket_id = 'images' and name like tests.id('verified') || '/%'), 'RM-8 and its images are queued');

set local role storage_admin;
select is((select count(*) from storage.removals), 9::bigint, 'RM-9 the storage service sees the queue');
delete from storage.removals;
select is((select count(*) from storage.removals), 0::bigint, 'RM-9 the storage service can empty the queue');
reset role;

-- A queued removal of an account's image starts over when the account is deleted.
insert into storage.removals (bucket_id, name, queued_at, next_attempt_at, attempts)
values ('images', tests.id('vendor') || '/notes.png', now() - interval '1 hour', now() + interval '1 hour', 5);
-- A soft delete keeps the account's row, and nothing else that refers to it.
insert into app.favorites (user_id, influencer_id) values (tests.id('vendor'), tests.id('profile of other influencer')), (tests.id('agency'), tests.id('profile of other influencer'));
create function pg_temp.rows_of(person text) returns text language plpgsql as $$
declare
  referring record;
  rows bigint;
  found_in text[] := '{}';
begin
  for referring in
    select conrelid::regclass as source, attname from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid in ('auth.users'::regclass, 'app.profiles'::regclass) order by 1
  loop
    execute format('select count(*) from %s where %I = $1', referring.source, referring.attname) into rows using tests.id(person);
    found_in := found_in || case when rows > 0 then array[referring.source::text] else '{}' end;
  end loop;
  return array_to_string(found_in, ' ');
end $$;
select isnt(pg_temp.rows_of('vendor'), '', 'RM-8 an account has rows');
set local role auth_admin;
update auth.users set deleted_at = now(), email = null where id = tests.id('vendor');
reset role;
select is(pg_temp.rows_of('vendor'), '', 'RM-8 a soft delete leaves no rows');
select is((select count(*) from app.favorites), 1::bigint, 'RM-8 favorites of others remain');
select is((select count(*) from storage.removals where queued_at > now() and queued_at <= clock_timestamp() and attempts = 0), 9::bigint, 'RM-8 a soft delete queues the images, too');
delete from storage.removals;

-- An image that was uploaded and deleted again while an earlier removal was queued: the removal starts over.
do $$ begin perform tests.vendor('third vendor'); end $$;
insert into storage.objects (bucket_id, name) values ('images', tests.id('third vendor') || '/vendor-logo-1.png');
insert into storage.removals (bucket_id, name, queued_at, next_attempt_at, attempts)
values ('images', tests.id('third vendor') || '/vendor-logo-1.png', now() - interval '1 hour', now() + interval '1 hour', 5);
delete from app.vendors where user_id = tests.id('third vendor');
select results_eq('select queued_at > now() and queued_at <= clock_timestamp(), next_attempt_at, attempts from storage.removals', 'values (true, now(), 0)',
  'RM-10 queued again, also what is younger than the transaction');

delete from storage.removals;

-- Replacing or removing images in a profile queues the old ones if they belong to the same account.
create function pg_temp.link(person text, file text) returns text language sql as $$
  select 'https://serasi.test/storage/v1/object/public/images/' || tests.id(person) || '/' || file
$$;
do $$ begin perform tests.agency('third agency'); end $$;
insert into storage.objects (bucket_id, name)
select 'images', tests.id('third agency') || '/' || file from unnest(array['banner-1.png', 'banner-2.png', 'gallery-0-1.png', 'gallery-1-1.png']) as file;
update app.agencies set banner_url = pg_temp.link('third agency', 'banner-1.png'), logo_url = pg_temp.link('approved', 'logo-5.png'),
  gallery = array[pg_temp.link('third agency', 'gallery-0-1.png'), pg_temp.link('third agency', 'gallery-1-1.png')]
where user_id = tests.id('third agency');
select is((select count(*) from storage.removals), 0::bigint, 'RM-11 new pictures queue nothing');
update app.agencies set gallery = array[pg_temp.link('third agency', 'gallery-1-1.png'), pg_temp.link('third agency', 'gallery-0-1.png')]
where user_id = tests.id('third agency');
select is((select count(*) from storage.removals), 0::bigint, 'RM-11 another order queues nothing');
select is(pg_temp.queued('third agency', format('update agencies set banner_url = %L, logo_url = null, gallery = array[%L] where user_id = %L',
    pg_temp.link('third agency', 'banner-2.png'), pg_temp.link('third agency', 'gallery-1-1.png'), tests.id('third agency'))),
  pg_temp.files('third agency', 'banner-1.png', 'gallery-0-1.png'), 'RM-11 replaced and removed pictures are queued, another account''s are not');

\ir ../finish.sql
