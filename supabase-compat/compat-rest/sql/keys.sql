-- Primary, unique and foreign keys of all tables, because views of exposed schemas may read any
-- table. Keys that a partition inherits are those of its parent.
select
  k.conname::text as constraint_name,
  k.contype = 'f' as is_foreign,
  k.contype = 'p' as is_primary,
  k.conrelid as relation_id,
  k.conkey as positions,
  k.confrelid as target_id,
  coalesce(k.confkey, '{}') as target_positions,
  -- False if rows of a child table may repeat the key, or if a transaction may for a while.
  not k.condeferrable and (c.relkind = 'p' or not c.relhassubclass) as is_strict,
  -- The equality operators of a unique key's columns.
  array(
    select o.amopopr::oid
    from pg_catalog.pg_index as i
    cross join unnest(i.indclass) with ordinality as used (class, place)
    join pg_catalog.pg_opclass as class on class.oid = used.class
    join pg_catalog.pg_amop as o
      on o.amopfamily = class.opcfamily
      and o.amoplefttype = class.opcintype
      and o.amoprighttype = class.opcintype
      and o.amopstrategy = 3
    where i.indexrelid = k.conindid and k.contype <> 'f'
    order by used.place
  ) as equalities
from pg_catalog.pg_constraint as k
join pg_catalog.pg_class as c on c.oid = k.conrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where k.contype in ('p', 'u', 'f')
  and (k.contype <> 'f' or k.conparentid = 0)
  and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
order by k.conrelid, k.conname
