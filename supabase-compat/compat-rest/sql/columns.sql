-- Columns of the exposed relations, with their declared types and the base types of domains.
-- With an empty search path every name outside of pg_catalog is printed with its schema.
with recursive voided as materialized (
  select pg_catalog.set_config('search_path', '', true) as path
),
domains as (
  select
    t.oid as type_id,
    t.oid as base_id,
    t.typtype,
    t.typbasetype,
    t.typtypmod as base_typmod
  from pg_catalog.pg_type as t
  union all
  select
    d.type_id,
    b.oid,
    b.typtype,
    b.typbasetype,
    case when d.base_typmod = -1 then b.typtypmod else d.base_typmod end
  from domains as d
  join pg_catalog.pg_type as b on b.oid = d.typbasetype
  where d.typtype = 'd'
),
bases as (
  select type_id, base_id, base_typmod from domains where typtype <> 'd'
)
select
  a.attrelid as relation_id,
  a.attnum as position,
  a.attname::text as column_name,
  tn.nspname::text as type_schema,
  t.typname::text as type_name,
  bn.nspname::text as base_schema,
  b.typname::text as base_name,
  pg_catalog.format_type(b.oid, null) || voided.path as display_type,
  information_schema._pg_char_max_length(
    b.oid, case when t.typtype = 'd' then bases.base_typmod else a.atttypmod end
  ) as max_length,
  case
    when a.attgenerated <> '' then null
    when a.attidentity <> '' then (
      select pg_catalog.format(
        'nextval(%L::regclass)', pg_catalog.format('%I.%I', owner.nspname, sequence.relname)
      )
      from pg_catalog.pg_depend as owned
      join pg_catalog.pg_class as sequence on sequence.oid = owned.objid
      join pg_catalog.pg_namespace as owner on owner.oid = sequence.relnamespace
      where owned.classid = 'pg_catalog.pg_class'::regclass
        and owned.refclassid = 'pg_catalog.pg_class'::regclass
        and owned.refobjid = a.attrelid
        and owned.refobjsubid = a.attnum
        and owned.deptype = 'i'
    )
    else coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), t.typdefault)
  end as default_expression,
  not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as nullable,
  pg_catalog.col_description(a.attrelid, a.attnum) as description,
  coalesce(
    (
      select array_agg(e.enumlabel::text order by e.enumsortorder)
      from pg_catalog.pg_enum as e
      where e.enumtypid = b.oid
    ),
    '{}'
  ) as enum_values
from voided
cross join pg_catalog.pg_attribute as a
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_type as t on t.oid = a.atttypid
join pg_catalog.pg_namespace as tn on tn.oid = t.typnamespace
join bases on bases.type_id = t.oid
join pg_catalog.pg_type as b on b.oid = bases.base_id
join pg_catalog.pg_namespace as bn on bn.oid = b.typnamespace
left join pg_catalog.pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0
  and not a.attisdropped
  and c.relkind in ('r', 'v', 'm', 'f', 'p')
  and n.nspname = any ($1::text[])
order by a.attrelid, a.attnum
