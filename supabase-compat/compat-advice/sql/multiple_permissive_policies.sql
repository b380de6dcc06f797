with affected as (
    select n.nspname, c.relname, r.rolname, a.command, array_agg(p.polname order by p.polname) as names
    from pg_catalog.pg_policy as p
    join pg_catalog.pg_class as c on c.oid = p.polrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_roles as r on r.oid = any (p.polroles) or p.polroles = array[0::oid]
    cross join lateral unnest(
        case p.polcmd
            when 'r' then array['SELECT']
            when 'a' then array['INSERT']
            when 'w' then array['UPDATE']
            when 'd' then array['DELETE']
            else array['SELECT', 'INSERT', 'UPDATE', 'DELETE']
        end
    ) as a (command)
    where
        c.relkind = 'r'
        and p.polpermissive
        and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
        and r.rolname not like 'pg_%'
        and r.rolname not like 'supabase%admin'
        and not r.rolbypassrls
        and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
    group by n.nspname, c.relname, r.rolname, a.command
    having count(*) > 1
)
select
    format(
        'Role %s has several permissive policies on %s.%s for %s: %s. Make one of them.',
        f.rolname, f.nspname, f.relname, f.command, array_to_string(f.names, ', ')
    ) as detail,
    jsonb_build_object('schema', f.nspname, 'name', f.relname, 'type', 'table') as metadata,
    format('multiple_permissive_policies_%s_%s_%s_%s', f.nspname, f.relname, f.rolname, f.command) as cache_key,
    null::text as statement
from affected as f
order by f.nspname, f.relname, f.rolname, f.command
