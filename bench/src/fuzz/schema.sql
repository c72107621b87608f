-- Tables with columns of every type, relationships of every kind, and functions, in a schema of their own, which is created
-- again in each round.
drop schema if exists fuzz cascade;
create schema fuzz;

create type fuzz.mood as enum ('sad', 'happy', 'glum');
create type fuzz.address as (street text, number integer);
create domain fuzz.short_text as text check (char_length(value) <= 40);

create table fuzz.parents (
  id integer primary key,
  name text not null,
  mood fuzz.mood default 'happy'
);
create table fuzz.items (
  id integer primary key,
  parent_id integer references fuzz.parents (id),
  second_parent_id integer references fuzz.parents (id),
  name text default 'unnamed',
  short fuzz.short_text,
  small smallint, big bigint, exact numeric(12, 3), real double precision,
  is_on boolean,
  day date, moment timestamptz default '2026-01-01', local_moment timestamp, clock time, length interval,
  loose json, document jsonb default '{}',
  words text[], numbers integer[], grid integer[][],
  span int4range, period tstzrange,
  lexemes tsvector, bytes bytea, host inet, bits bit varying,
  mood fuzz.mood, home fuzz.address, homes fuzz.address[],
  markup xml, spot point, price money, letter "char",
  key uuid default gen_random_uuid()
);
create table fuzz.tags (id integer primary key, label text unique);
create table fuzz.items_tags (
  item_id integer references fuzz.items (id) on delete cascade,
  tag_id integer references fuzz.tags (id) on delete cascade,
  primary key (item_id, tag_id)
);
create table fuzz."odd names" ("a b" text primary key, "c.d" integer, "e""f" text, "g->h" jsonb, "ü" text, "select" text);
create table fuzz.keyless (anything text, number integer);
create view fuzz.items_view as select id, parent_id, name, document, words from fuzz.items;
create view fuzz.fixed_view as select mood, count(*) as how_many from fuzz.parents group by mood;

insert into fuzz.parents select n, 'parent ' || n from generate_series(1, 10) as n;
insert into fuzz.items (id, parent_id, second_parent_id, name, short, small, big, exact, real, is_on, day, document, words, numbers, grid, span, lexemes, mood)
select n, 1 + n % 10, 1 + n % 7, 'item ' || n, 'short', n, n, n, n, n % 2 = 0, '2026-01-01', jsonb_build_object('a', jsonb_build_array(n, n)),
  array['a', 'b'], array[n, 1], array[[1, 2], [3, n]], int4range(n, n + 5), to_tsvector('a fat cat ' || n), 'sad'
from generate_series(1, 60) as n;
insert into fuzz.tags select n, 'tag ' || n from generate_series(1, 8) as n;
insert into fuzz.items_tags select n, 1 + n % 8 from generate_series(1, 60) as n;
insert into fuzz."odd names" values ('x', 1, 'y', '{}', 'z', 'from');

create function fuzz.shout(fuzz.items) returns text language sql stable as $$ select upper($1.name) $$;
create function fuzz.siblings(fuzz.items) returns setof fuzz.items rows 10 language sql stable as $$
  select * from fuzz.items where parent_id = $1.parent_id
$$;
create function fuzz.add(a integer, b integer default 1) returns integer language sql immutable as $$ select a + b $$;
create function fuzz.echo(data jsonb) returns jsonb language sql immutable as $$ select data $$;
create function fuzz.sum(variadic numbers integer[]) returns bigint language sql immutable as $$ select sum(n) from unnest(numbers) as n $$;
create function fuzz.search(q text, mood fuzz.mood default null) returns setof fuzz.items language sql stable as $$
  select * from fuzz.items where name like '%' || q || '%'
$$;
create function fuzz.overloaded(a integer) returns text language sql stable as $$ select 'integer' $$;
create function fuzz.overloaded(a integer, b text) returns text language sql stable as $$ select 'both' $$;
create function fuzz.table_of(n integer) returns table (number integer, "odd name" text) language sql stable as $$
  select i, 'x' from generate_series(1, least(n, 50)) as i
$$;
create function fuzz.outs(inout a integer, out b text) language sql stable as $$ select a, 'b' $$;
create function fuzz.nothing() returns void language sql stable as $$ $$;
create function fuzz.words(texts text[]) returns text[] language sql immutable as $$ select texts $$;
create function fuzz.remember(content text) returns integer language sql volatile as $$
  insert into fuzz.keyless values (content, 1) returning number
$$;
create function fuzz.raw_json(json) returns json language sql immutable as $$ select $1 $$;
create function fuzz.raw_text(text) returns text language sql immutable as $$ select $1 $$;
create function fuzz.raw_bytes(bytea) returns bytea language sql immutable as $$ select $1 $$;

grant usage on schema fuzz to anon, authenticated, service_role;
grant select, insert, update, delete on all tables in schema fuzz to anon, authenticated, service_role;
grant execute on all functions in schema fuzz to anon, authenticated, service_role;

alter role authenticator set pgrst.db_schemas = 'public, fuzz';
alter role authenticator set pgrst.db_aggregates_enabled = 'true';
notify pgrst, 'reload config';
notify pgrst, 'reload schema';
