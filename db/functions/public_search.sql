-- Suggestions when a search has no matches: up to eight similar profiles. Everything runs as the caller and reads
-- public.influencers, so row security applies. The cost is bounded: each piece of a word is looked up in the trigram index
-- and yields at most 100 rows, and only the bios of the newest 5,000 profiles are searched.

-- Security definer, because API roles may not use pg_trgm. The function reads nothing but its arguments.
create or replace function app.closeness(query text, value text) returns real
language sql immutable parallel safe security definer set search_path = '' as $$
  select coalesce(extensions.word_similarity(query, value), 0)
$$;

-- Patterns that find a misspelled word: pieces of it, because a typo leaves other pieces intact, and the word with each pair
-- of neighboring letters swapped. The patterns already have the type of the indexed columns, because before version 18
-- PostgreSQL doesn't use the index if the condition casts a value to a domain.
create or replace function app.pieces_of(word text) returns table (reading text, pattern app.label)
language sql immutable parallel safe set search_path = '' as $$
  select word, ('%' || piece || '%')::app.label
  from unnest(array[word, left(word, -1), right(word, -1), left(word, length(word) / 2), right(word, length(word) / 2), left(word, 3), right(word, 3)]) as piece
  where length(piece) >= 3
  union
  select reading, ('%' || reading || '%')::app.label
  from generate_series(1, length(word) - 1) as place
  cross join lateral (select overlay(word placing substr(word, place + 1, 1) || substr(word, place, 1) from place for 2) as reading) as swapped
  where length(word) between 4 and 15
$$;

-- Sequential and plain index scans are off: because of the LIMIT, the planner expects them to find enough rows soon, which
-- is wrong for rare pieces.
create or replace function app.influencers_containing(word text) returns table (id uuid, closeness real)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  select found.id, max(greatest(app.closeness(reading, found.name), app.closeness(reading, found.username),
    app.closeness(reading, found.category), app.closeness(reading, found.location)))
  from app.pieces_of(word) as part
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
  group by found.id
$$;

create or replace function app.influencers_describing(word text) returns table (id uuid, closeness real)
language sql stable set search_path = '' as $$
  select recent.id, 0.5
  from (
    select profile.id, profile.bio from public.influencers as profile
    where profile.approved
    order by profile.created_at desc, profile.id desc
    limit 5000
  ) as recent
  where position(word in lower(recent.bio)) > 0
$$;

create or replace function public.search_close_influencers(query text) returns table (
  id uuid, name text, username text, category text, bio text, location text, profile_image text, badge_type text,
  instagram_followers text, tiktok_followers text, youtube_followers text, twitter_followers text
)
language sql stable rows 8 set search_path = '' as $$
  with words as (
    select distinct word, length(word) from regexp_split_to_table(lower(left(query, 100)), '[^[:alnum:]]+') as word
    where length(word) between 3 and 30
    order by length(word) desc, word
    limit 3
  ), found as (
    select word, near.id, near.closeness from words cross join lateral app.influencers_containing(word) as near
    union all
    select word, near.id, near.closeness from words cross join lateral app.influencers_describing(word) as near
  ), best as (
    -- Weighted by length, so that matching a short, common word is not enough.
    select per_word.id, sum(per_word.closeness * length(word)) / (select sum(length(word)) from words) as closeness
    from (select found.id, word, max(found.closeness) as closeness from found group by found.id, word) as per_word
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

grant execute on function app.closeness(text, text), app.pieces_of(text), app.influencers_containing(text),
  app.influencers_describing(text), public.search_close_influencers(text) to anon, authenticated, service_role;
