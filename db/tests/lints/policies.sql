-- Policies: their shape, what they check, and their cost.
\ir ../setup.sql
\ir ../lint.sql

insert into lint (name, offence, query) values
('S0007 policies on a table without row security', 'alter table app.gigs disable row level security', $$
  select distinct relation from rule join pg_class on pg_class.oid = relation where not relrowsecurity$$),
('S0008 a table without any policy (add db/marketplace/access/<table>.sql)', 'drop policy "the owner of the schema does all" on app.digests', $$
  select oid::regclass from pg_class where relkind in ('r', 'p') and relnamespace in (select oid from ours) and not exists (select from pg_policy where polrelid = pg_class.oid)$$),
('S0006 two permissive policies for one command', 'create policy again on app.gigs for all to authenticated using (false)', $$
  select relation, act, role from rule group by relation, act, role having count(*) > 1$$),
('DB-4 a policy for PUBLIC', 'create policy open on app.gigs using (title = '''')', $$
  select relation, policyname from rule where role = 'public'$$),
('a restrictive policy', 'create policy but on app.gigs as restrictive to authenticated using (title = '''')', $$
  select relation, policyname from rule where permissive <> 'PERMISSIVE'$$),
-- `(select auth.uid())` is evaluated once per statement.
('DB-4 S0003 a policy that calls a function once per row', 'create policy slow on app.notices for delete to authenticated using (user_id = auth.uid())', $$
  select relation, policyname from rule
  where regexp_replace(terms, 'SELECT (auth|app)\.[a-z_]+\([^()]*\)', '', 'g') ~ '(auth|app)\.[a-z_]+\(|current_setting\('$$),
('DB-4 S0024 a write policy that is always true', 'create policy open on app.notices for insert to authenticated with check (true)', $$
  select relation, policyname from rule
  where role not in ('serasi_owner', 'auth_admin', 'storage_admin') and act <> 'SELECT'
    and exists (select from unnest(array[qual, with_check]) as term where term ~ '^\(*(true|NOT false|\(?([^ ()]+) = \2\)?)\)*$')$$),
('an update policy without a check of the new row', 'create policy edit on app.profiles for update to authenticated using (id = (select auth.uid()))', $$
  select relation, policyname from rule where act = 'UPDATE' and with_check is null and role <> 'serasi_owner'$$),
-- A token only proves who makes the request: users write their own metadata, and roles can change before it expires.
('S0015 a policy that trusts claims of the token', 'create policy told on app.notices for delete to authenticated using ((select auth.jwt() -> ''user_metadata'' ->> ''role'') = ''admin'')', $$
  select relation, policyname from rule where terms ~ 'auth\.(jwt|role|email)\(|current_setting\(|meta_?data'$$),
('S0030 a policy that admits callers without an id', 'create policy nobody on app.notices for delete to authenticated using ((select auth.uid()) is null or user_id = (select auth.uid()))', $$
  select relation, policyname from rule where terms ~ 'uid\(\)[^()]*\)+ IS (NULL|NOT DISTINCT)'$$),
-- Newsletter subscriptions need no account.
('a policy that lets a deleted or banned account write', 'create policy late on app.notices for delete to authenticated using (user_id = (select auth.uid()))', $$
  select relation, policyname from rule
  where role = 'authenticated' and act <> 'SELECT' and relation <> 'app.newsletter_subscriptions'::regclass
    and exists (select from unnest(array[qual, with_check]) as term where term !~ '(app|auth)\.(account_id|has_role|is_admin|is_superadmin|may_browse_gigs)\(')$$),
('a policy that lets a deleted or banned account read its rows', 'create policy late on app.digests for select to authenticated using (user_id = (select auth.uid()))', $$
  select relation, policyname from rule where role = 'authenticated' and act = 'SELECT' and terms ~ 'auth\.uid\('$$),
('S0025 a bucket that anybody can list', 'create policy listed on storage.objects for select to anon using (bucket_id = ''images'')', $$
  select policyname from rule where relation = 'storage.objects'::regclass and act = 'SELECT' and role not in ('storage_admin', 'serasi_owner') and (role <> 'authenticated' or qual !~ '(auth\.uid|app\.account_id)\(\)')$$),
('a policy that reads its own table and recurses', 'create policy circle on app.notices for delete to authenticated using (exists (select from app.notices as other where other.kind = ''approved''))', $$
  select relation, policyname from rule where terms ~ ('(FROM|JOIN) ' || schemaname || '\.' || tablename || '\M')$$),
('DB-11 a column that policies compare with the caller, without an index on it', 'drop index app.gigs_of_agency', $$
  select distinct relation, field from rule
  cross join lateral (select found[1] as field from regexp_matches(terms, '([a-z_]+) (?:=|<>|IS NOT DISTINCT FROM) \(+ ?SELECT (?:auth|app)\.', 'g') as found) as compared
  where not exists (
    select from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indrelid = relation and attname = field and indpred is null and indisvalid)$$);

select * from tests.lints();
\ir ../finish.sql
