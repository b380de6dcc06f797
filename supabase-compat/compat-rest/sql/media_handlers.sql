-- Domains named like media types, and the functions and aggregates that return them.
with media as (
  select t.oid as type_id, lower(t.typname::text) as media_type
  from pg_catalog.pg_type as t
  where t.typtype = 'd'
    and t.typname ~ '^[A-Za-z0-9.*_-]+/[A-Za-z0-9.*+_-]+$'
)
select
  n.nspname::text as function_schema,
  p.proname::text as function_name,
  p.prokind = 'a' as is_aggregate,
  media.media_type,
  argument.typname = 'anyelement' as takes_anything,
  argument_namespace.nspname::text as relation_schema,
  argument.typname::text as relation_name
from pg_catalog.pg_proc as p
join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
join media on media.type_id = p.prorettype
left join pg_catalog.pg_type as argument on argument.oid = p.proargtypes[0]
left join pg_catalog.pg_namespace as argument_namespace on argument_namespace.oid = argument.typnamespace
where n.nspname = any ($1::text[])
  and (
    p.prokind = 'f' and not p.proretset
    or p.prokind = 'a' and p.pronargs = 1 and (argument.typname = 'anyelement' or argument.typrelid <> 0)
  )
order by n.nspname, p.proname
