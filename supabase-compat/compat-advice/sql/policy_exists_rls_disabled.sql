select
    format('Table %s.%s has policies (%s), but row level security is off.', n.nspname, c.relname,
        (select string_agg(p.polname, ', ' order by p.polname) from pg_catalog.pg_policy as p where p.polrelid = c.oid)
    ) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'table') as metadata,
    format('policy_exists_rls_disabled_%s_%s', n.nspname, c.relname) as cache_key,
    format('alter table %I.%I enable row level security;', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'r'
    and not c.relrowsecurity
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    and exists (select from pg_catalog.pg_policy as p where p.polrelid = c.oid)
order by n.nspname, c.relname
