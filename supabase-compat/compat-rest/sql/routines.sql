-- Functions of the exposed schemas, and of the extra search path as computed relationships only.
-- With an empty search path every name outside of pg_catalog is printed with its schema.
with recursive voided as materialized (
  select pg_catalog.set_config('search_path', '', true) as path
),
domains as (
  select t.oid as type_id, t.oid as base_id, t.typtype, t.typbasetype
  from pg_catalog.pg_type as t
  union all
  select d.type_id, b.oid, b.typtype, b.typbasetype
  from domains as d
  join pg_catalog.pg_type as b on b.oid = d.typbasetype
  where d.typtype = 'd'
),
bases as (
  select type_id, base_id from domains where typtype <> 'd'
)
select
  n.nspname::text as schema_name,
  p.proname::text as routine_name,
  pg_catalog.obj_description(p.oid, 'pg_proc') as description,
  p.provolatile::text as volatility,
  p.proretset as returns_set,
  p.prorows = 1 as one_row,
  rn.nspname::text as return_schema,
  rt.typname::text as return_name,
  rb.typtype::text as return_kind,
  rb.typrelid as return_relation_id,
  coalesce(crn.nspname, rbn.nspname)::text as composite_schema,
  coalesce(crc.relname, rb.typname)::text as composite_name,
  coalesce(p.proargmodes::text[] && '{o,b,t}', false) as has_output_columns,
  coalesce(array_length(array_positions(p.proargmodes::text[], 't'), 1), 0) > 0 as returns_table,
  coalesce((
    select count(*) from unnest(p.proargmodes::text[]) as mode where mode in ('o', 'b', 't')
  ), 0) as output_columns,
  p.provariadic <> 0 as has_variadic,
  p.pronargs as argument_count,
  p.pronargdefaults as default_count,
  coalesce(p.proconfig, '{}') as settings,
  coalesce(arguments.names, '{}') as argument_names,
  coalesce(arguments.schemas, '{}') as argument_schemas,
  coalesce(arguments.types, '{}') as argument_types,
  coalesce(arguments.displays, '{}') as argument_displays,
  coalesce(arguments.arrays, '{}') as argument_arrays,
  coalesce(arguments.relation_ids, '{}') as argument_relation_ids,
  coalesce(arguments.can_be_given, true) as can_be_called
from voided
cross join pg_catalog.pg_proc as p
join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
join pg_catalog.pg_type as rt on rt.oid = p.prorettype
join pg_catalog.pg_namespace as rn on rn.oid = rt.typnamespace
join bases as rbase on rbase.type_id = rt.oid
join pg_catalog.pg_type as rb on rb.oid = rbase.base_id
join pg_catalog.pg_namespace as rbn on rbn.oid = rb.typnamespace
left join pg_catalog.pg_class as crc on crc.oid = rb.typrelid and rb.typrelid <> 0
left join pg_catalog.pg_namespace as crn on crn.oid = crc.relnamespace
left join lateral (
  select
    array_agg(coalesce(inputs.argument_name, '') order by inputs.place) as names,
    array_agg(tn.nspname::text order by inputs.place) as schemas,
    array_agg(t.typname::text order by inputs.place) as types,
    array_agg(voided.path || pg_catalog.format_type(t.oid, null) order by inputs.place) as displays,
    array_agg(t.typcategory = 'A' order by inputs.place) as arrays,
    array_agg(t.typrelid order by inputs.place) as relation_ids,
    -- Without names a body can only be passed to a single parameter, whose type takes the raw body.
    case count(*) - count(inputs.argument_name)
      when 0 then true
      when 1 then
        (array_agg(t.oid order by inputs.place))[1] in (
          'pg_catalog.json'::regtype, 'pg_catalog.jsonb'::regtype, 'pg_catalog.text'::regtype,
          'pg_catalog.xml'::regtype, 'pg_catalog.bytea'::regtype
        )
      else false
    end as can_be_given
  from (
    select
      row_number() over (order by every.place) as place,
      p.proargnames[every.place] as argument_name,
      every.type_id
    from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]))
      with ordinality as every (type_id, place)
    where coalesce(p.proargmodes[every.place], 'i') in ('i', 'b', 'v')
  ) as inputs
  join pg_catalog.pg_type as t on t.oid = inputs.type_id
  join pg_catalog.pg_namespace as tn on tn.oid = t.typnamespace
) as arguments on true
where p.prokind = 'f'
  and rt.typname not in ('trigger', 'event_trigger')
  and n.nspname = any ($1::text[])
order by n.nspname, p.proname, p.oid
