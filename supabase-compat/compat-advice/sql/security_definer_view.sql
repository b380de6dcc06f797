select
    format('View %s.%s reads with the rights of its owner, past row level security.', n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'view') as metadata,
    format('security_definer_view_%s_%s', n.nspname, c.relname) as cache_key,
    format('alter view %I.%I set (security_invoker = on);', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'v'
    -- Views support security_invoker from version 15 on.
    and current_setting('server_version_num')::int >= 150000
    and (
        has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select')
    )
    and n.nspname = any (array(select trim(e) from unnest(string_to_array(current_setting('pgrst.db_schemas'), ',')) as e))
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    and not lower(coalesce(c.reloptions, '{}')::text)::text[]
        && array['security_invoker=1', 'security_invoker=true', 'security_invoker=yes', 'security_invoker=on']
order by n.nspname, c.relname
