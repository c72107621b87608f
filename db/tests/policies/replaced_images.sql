-- Which images a profile's change removes: its own ones in the images bucket, not those of others that it linked to.
\ir ../setup.sql
do $$ begin
  perform tests.people();
  delete from storage.removals;
  insert into storage.buckets (id, name) values ('papers', 'papers');
  insert into storage.objects (bucket_id, name)
  select bucket, tests.id(person) || '/a.png' from unnest('{images,papers}'::text[]) as bucket, unnest('{approved,verified}'::text[]) as person;
end $$;

-- The removals after a person's picture was replaced.
create function pg_temp.removed(person text, owner text) returns text language plpgsql as $$
begin
  update app.influencers set profile_image = '/storage/v1/object/public/images/' || tests.id(owner) || '/a.png' where user_id = tests.id(person);
  delete from storage.removals;
  update app.influencers set profile_image = null where user_id = tests.id(person);
  return (select string_agg(bucket_id || ' ' || name, ', ') from storage.removals);
end $$;
select is(pg_temp.removed(person, owner), case when person = owner then 'images ' || tests.id(person) || '/a.png' end,
  format('%s replaces a picture of %s', person, owner))
from unnest('{approved,verified}'::text[]) as person, unnest('{approved,verified}'::text[]) as owner;

\ir ../finish.sql
