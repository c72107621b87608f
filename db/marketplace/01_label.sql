-- Text that people search. Row security lets only leakproof operators use an index, or the statistics that say how common a pattern
-- is. ILIKE on text is not leakproof: a pattern that ends in a lone backslash raises an error only if a row, a hidden one too,
-- matches so far. So searched columns have a type of their own, text by another name, whose LIKE and ILIKE never raise: marked
-- leakproof, they use the trigram index for everybody (docs/decisions/005-leakproof-labels.md). `name ilike '%abc%'` finds them by
-- the column's type; a value that is declared to be text finds PostgreSQL's own operators, slower and no less safe.
-- Without a superuser, nothing can be leakproof: the operators are then PostgreSQL's own by another name, and PostgreSQL expands
-- them. The migration replaces the operator class by pg_trgm's.
set local role serasi_owner;
create domain app.label as text;
revoke all on type app.label from public;
grant usage on type app.label to anon, authenticated, service_role;

create function app.label_like(value app.label, pattern app.label) returns boolean
language sql immutable strict parallel safe as $$
  select value::pg_catalog.text operator(pg_catalog.~~) pattern::pg_catalog.text
$$;
create function app.label_ilike(value app.label, pattern app.label) returns boolean
language sql immutable strict parallel safe as $$
  select value::pg_catalog.text operator(pg_catalog.~~*) pattern::pg_catalog.text
$$;

grant execute on function app.label_like(app.label, app.label), app.label_ilike(app.label, app.label) to anon, authenticated, service_role;

-- matchingsel reads the column's most common values and its histogram.
create operator public.~~ (
  leftarg = app.label, rightarg = app.label, function = app.label_like, restrict = matchingsel, join = matchingjoinsel);
create operator public.~~* (
  leftarg = app.label, rightarg = app.label, function = app.label_ilike, restrict = matchingsel, join = matchingjoinsel);
reset role;

-- A search compares thousands of rows, and a search_path of its own would double the time of each comparison. Every name is
-- qualified instead, so that nobody's search_path matters. The cost tells PostgreSQL that they are cheap.
do $do$ begin
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    return;
  end if;

  create or replace function app.label_like(value app.label, pattern app.label) returns boolean
  language plpgsql immutable strict parallel safe leakproof cost 40 as $$
begin
  return (pg_catalog.right(pattern, 1) operator(pg_catalog.<>) E'\\'
      or (pg_catalog.length(pattern) operator(pg_catalog.-) pg_catalog.length(pg_catalog.rtrim(pattern, E'\\')))
        operator(pg_catalog.%) 2 operator(pg_catalog.=) 0)
    and value::pg_catalog.text operator(pg_catalog.~~) pattern::pg_catalog.text;
end $$;

  create or replace function app.label_ilike(value app.label, pattern app.label) returns boolean
  language plpgsql immutable strict parallel safe leakproof cost 40 as $$
begin
  return (pg_catalog.right(pattern, 1) operator(pg_catalog.<>) E'\\'
      or (pg_catalog.length(pattern) operator(pg_catalog.-) pg_catalog.length(pg_catalog.rtrim(pattern, E'\\')))
        operator(pg_catalog.%) 2 operator(pg_catalog.=) 0)
    and value::pg_catalog.text operator(pg_catalog.~~*) pattern::pg_catalog.text;
end $$;

  -- pg_trgm's own support functions, whose strategies 3 and 4 are LIKE and ILIKE.
  create operator class app.label_trigrams for type app.label using gin as
    operator 3 public.~~ (app.label, app.label),
    operator 4 public.~~* (app.label, app.label),
    function 1 pg_catalog.btint4cmp (integer, integer),
    function 2 extensions.gin_extract_value_trgm (text, internal),
    function 3 extensions.gin_extract_query_trgm (text, internal, smallint, internal, internal, internal, internal),
    function 4 extensions.gin_trgm_consistent (internal, smallint, text, integer, internal, internal, internal, internal),
    function 6 extensions.gin_trgm_triconsistent (internal, smallint, text, integer, internal, internal, internal),
    storage integer;
  alter operator class app.label_trigrams using gin owner to serasi_owner;
  alter operator family app.label_trigrams using gin owner to serasi_owner;
end $do$;
