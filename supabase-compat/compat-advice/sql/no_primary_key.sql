select
    format('Table %s.%s has no primary key.', n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'table') as metadata,
    format('no_primary_key_%s_%s', n.nspname, c.relname) as cache_key,
    null::text as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'r'
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    and not exists (
        select from pg_catalog.pg_index as i where i.indrelid = c.oid and i.indisprimary
    )
order by n.nspname, c.relname
