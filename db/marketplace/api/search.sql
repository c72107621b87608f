-- Suggestions when a search has no matches: up to eight similar profiles. Everything runs as the caller and reads
-- public.influencers, so row security applies. The cost is bounded, whatever the words are: the newest 1,000 profiles are
-- read once. A piece of a word that eight of them contain is common, and is not looked up in the trigram index, which would
-- read the entries of all profiles with it. Each word yields at most 100 rows from either.

-- How close each query is to its value. Security definer, because API roles may not use pg_trgm. The function reads nothing
-- but its arguments. One call for all rows: a call per row would take longer than the comparison.
create or replace function app.closeness(queries text[], "values" text[]) returns real[]
language sql immutable parallel safe security definer as $$
  select array_agg(coalesce(extensions.word_similarity(query, value), 0) order by place)
  from unnest(queries, "values") with ordinality as pair (query, value, place)
$$;

-- Patterns that find a misspelled word: pieces of it, because a typo leaves other pieces intact, and the word with each pair
-- of neighboring letters swapped. The patterns already have the type of the indexed columns, because before version 18
-- PostgreSQL doesn't use the index if the condition casts a value to a domain.
create or replace function app.pieces_of(word text) returns table (reading text, pattern app.label)
language sql immutable parallel safe rows 20 as $$
  select word, ('%' || piece || '%')::app.label
  from unnest(array[word, left(word, -1), right(word, -1), left(word, length(word) / 2), right(word, length(word) / 2), left(word, 3), right(word, 3)]) as piece
  where length(piece) >= 3
  union
  select reading, ('%' || reading || '%')::app.label
  from generate_series(1, length(word) - 1) as place
  cross join lateral (select overlay(word placing substr(word, place + 1, 1) || substr(word, place, 1) from place for 2) as reading) as swapped
  where length(word) between 4 and 15
$$;

-- The profiles that contain pieces of the word, except common ones. The longest pieces come first: at 100 rows, the others
-- are not looked up. Sequential and plain index scans are off: because of the LIMIT, the planner expects them to find enough
-- rows soon, which is wrong for rare pieces. The plan is the same for all patterns, so it is made once. Without leakproof operators,
-- row security allows no index, and nothing is looked up.
create or replace function app.influencers_containing(word text, common text[] default '{}') returns table (id uuid, reading text, value text)
language sql stable rows 100 cost 200000
set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
  select found.id, part.reading, lower(concat_ws(' ', found.name, found.username, found.category, found.location))
  from (
    select * from app.pieces_of(word)
    where pattern::text <> all (common) and exists (select from pg_catalog.pg_opclass where opcname = 'label_trigrams')
    order by length(pattern) desc, pattern
  ) as part
  cross join lateral (
    select profile.id, profile.name, profile.username, profile.category, profile.location
    from public.influencers as profile
    where profile.approved and (
      profile.name operator(public.~~*) part.pattern
      or profile.username operator(public.~~*) part.pattern
      or profile.category operator(public.~~*) part.pattern
      or profile.location operator(public.~~*) part.pattern)
    limit 100
  ) as found
  limit 100
$$;

create or replace function public.search_close_influencers(query text) returns table (
  id uuid, name text, username text, category text, bio text, location text, profile_image text, badge_type text,
  instagram_followers text, tiktok_followers text, youtube_followers text, twitter_followers text
) language sql stable rows 8 cost 400000 set plan_cache_mode = force_generic_plan as $$
  with words as (
    select distinct word, length(word) from regexp_split_to_table(lower(left(query, 100)), '[^[:alnum:]]+') as word
    where length(word) between 3 and 30
    order by length(word) desc, word
    limit 3
  ), newest as materialized (
    select recent.id, lower(concat_ws(' ', recent.name, recent.username, recent.category, recent.location)) as value, lower(recent.bio) as bio
    from (
      select profile.id, profile.name, profile.username, profile.category, profile.location, profile.bio from public.influencers as profile
      where profile.approved
      order by profile.created_at desc, profile.id desc
      limit 1000
    ) as recent
  ), pieces as materialized (
    select word, part.reading, btrim(part.pattern, '%') as piece
    from words cross join lateral app.pieces_of(word) as part
  ), near as materialized (
    select word, reading, piece, newest.id, newest.value, count(*) over (partition by word, piece) as number
    from newest join pieces on strpos(newest.value, piece) > 0
  ), found as (
    select word, containing.id, containing.reading, containing.value
    from words cross join lateral app.influencers_containing(word, array(select distinct '%' || piece || '%' from near where number >= 8)) as containing
    union
    select word, nearest.id, nearest.reading, nearest.value
    from words cross join lateral (
      select near.id, near.reading, near.value from near where near.word = words.word order by length(piece) desc, piece limit 100) as nearest
  ), compared as (
    select pair.id, pair.word, closeness
    from (select array_agg(found.id) as ids, array_agg(word) as words, app.closeness(array_agg(reading), array_agg(value)) as closenesses from found) as pairs
    cross join lateral unnest(ids, words, closenesses) as pair (id, word, closeness)
    union all
    select newest.id, word, 0.5 from words join newest on strpos(newest.bio, word) > 0
  ), best as (
    -- Weighted by length, so that matching a short, common word is not enough.
    select per_word.id, sum(per_word.closeness * length(word)) / (select sum(length(word)) from words) as closeness
    from (select compared.id, word, max(compared.closeness) as closeness from compared group by compared.id, word) as per_word
    group by per_word.id
    having sum(per_word.closeness * length(word)) >= 0.4 * (select sum(length(word)) from words)
    order by closeness desc, per_word.id
    limit 8
  )
  select profile.id, profile.name, profile.username, profile.category, profile.bio, profile.location, profile.profile_image,
    profile.badge_type, profile.instagram_followers, profile.tiktok_followers, profile.youtube_followers, profile.twitter_followers
  from best join public.influencers as profile on profile.id = best.id
  order by best.closeness desc, profile.id
$$;

grant execute on function app.closeness(text[], text[]), app.pieces_of(text), app.influencers_containing(text, text[]),
  public.search_close_influencers(text) to anon, authenticated, service_role;
