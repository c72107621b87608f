-- Of every column that can contain personal data it is known what the deletion of an account does with it, and every table ends somehow.
\ir ../setup.sql

select is_empty('select relation, field from app.personal_data() where fate is null',
  'what a deletion does with each column is known: say it with serasi.on_deletion() in the table''s file in db/marketplace/access');
select is_empty('select relation, field, fate from app.personal_data() where fate !~ ''^(removed|replaced|kept)''', 'with the words removed, replaced or kept');
select is_empty($$select conrelid::regclass, conname from pg_constraint where contype = 'f' and confrelid in ('auth.users'::regclass, 'app.profiles'::regclass)
  and confdeltype not in ('c', 'n')$$, 'no reference keeps an account from being deleted');

-- What follows from the catalog.
select is(fate, expected, relation || '.' || personal_data.field) from app.personal_data() join (values
  ('app.gigs', 'title', 'removed with the account'), ('app.influencers', 'id', 'removed with the account'),
  ('app.influencer_private', 'date_of_birth', 'removed with the account'), ('app.collaborations', 'agency_id', 'removed with what it refers to'),
  ('app.collaborations', 'id', 'kept: random'), ('app.collaborations', 'state', 'kept: one of a fixed list')
) as known (named, field, expected) on relation = named::regclass and personal_data.field = known.field;

-- New columns of shared rows, and of an id, are found.
alter table app.collaborations add column note text;
alter table app.gigs add column seen_by uuid;
select set_eq('select relation::text, field::text from app.personal_data() where fate is null',
  $$values ('app.collaborations', 'note'), ('app.gigs', 'seen_by')$$, 'new columns are found');

select is_empty($$select oid::regclass from pg_class where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole) and relkind in ('r', 'p')
  and oid not in (select relation::regclass from serasi.retention) and oid not in (select relation from app.personal_data() where fate = 'removed with the account')$$,
  'how each table ends is known, unless its rows are removed with an account: add a row to serasi.retention in the table''s step');
select is_empty('select relation from serasi.retention where to_regclass(relation) is null', 'and each row names a table');
-- A batch reads an index in the order of the moment.
select is_empty($$select relation, name from serasi.retention where bound = 'period' and not exists (
  select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
  where indrelid = relation::regclass and attname = moment)$$, 'each period has an index');
\ir ../finish.sql
