select
    format('Table %s.%s has row level security and no policy: only its owner and service_role see its rows.', n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'table') as metadata,
    format('rls_enabled_no_policy_%s_%s', n.nspname, c.relname) as cache_key,
    null::text as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'r'
    and c.relrowsecurity
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    and not exists (select from pg_catalog.pg_policy as p where p.polrelid = c.oid)
order by n.nspname, c.relname
