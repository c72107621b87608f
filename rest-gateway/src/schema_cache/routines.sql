-- Functions in the exposed schemas ($1) whose parameters all have names, or that have a single unnamed parameter of a type
-- that a request body can provide. $2: the names of settings to read from each function's SET clauses.
with recursive base_types as (
  select oid, oid as base from pg_catalog.pg_type where typtype <> 'd'
  union all
  select d.oid, b.base from pg_catalog.pg_type d join base_types b on b.oid = d.typbasetype where d.typtype = 'd'
)
select pg_catalog.json_build_object(
  'schema', n.nspname,
  'name', p.proname,
  'description', pg_catalog.obj_description(p.oid, 'pg_proc'),
  'parameters', coalesce(a.parameters, '[]'),
  'returns_schema', tn.nspname,
  'returns', coalesce(tc.relname, t.typname),
  'returns_set', p.proretset,
  'returns_composite', t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
  'volatility', p.provolatile,
  'variadic', p.provariadic > 0,
  'settings', coalesce((
    select pg_catalog.json_agg(pg_catalog.json_build_array(
      pg_catalog.split_part(s, '=', 1), pg_catalog.substr(s, pg_catalog.strpos(s, '=') + 1)))
    from unnest(p.proconfig) s
    where pg_catalog.split_part(s, '=', 1) = any ($2 || '{default_transaction_isolation}'::text[])
  ), '[]')
)::text
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join base_types b on b.oid = p.prorettype
join pg_catalog.pg_type t on t.oid = b.base
join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
left join pg_catalog.pg_class tc on tc.oid = t.typrelid
left join lateral (
  select
    pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', i.name,
      'type', pg_catalog.format_type(i.type, null),
      -- Without a length, `bit` and `character` would truncate the value to one bit or character.
      'wide_type', case i.type
        when 'bit'::regtype then 'bit varying'
        when 'bit[]'::regtype then 'bit varying[]'
        when 'character'::regtype then 'character varying'
        when 'character[]'::regtype then 'character varying[]'
        else pg_catalog.format_type(i.type, null)
      end,
      'required', i.place <= p.pronargs - p.pronargdefaults,
      'variadic', i.mode = 'v'
    ) order by i.place) as parameters,
    pg_catalog.count(*) filter (where i.name = '') as unnamed,
    pg_catalog.bool_or(i.place = 1 and i.type in (
      'bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype)) as takes_body
  from (
    select coalesce(x.name, '') as name, x.type, coalesce(x.mode, 'i') as mode,
      pg_catalog.row_number() over (order by x.place) as place
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes)
      with ordinality as x(type, name, mode, place)
    where coalesce(x.mode, 'i') in ('i', 'b', 'v')
  ) i
) a on true
where n.nspname = any ($1) and p.prokind = 'f' and t.oid <> 'trigger'::regtype
  and (coalesce(a.unnamed, 0) = 0 or a.unnamed = 1 and a.takes_body)
