select
    format('View %s of the schema %s reads auth.users, and anon or authenticated may read the view.', c.relname, n.nspname) as detail,
    jsonb_build_object(
        'schema', n.nspname, 'name', c.relname, 'type', 'view',
        'exposed_to', array_remove(
            array[
                case
                    when has_table_privilege('anon', c.oid, 'select') then 'anon'
                    when has_table_privilege('authenticated', c.oid, 'select') then 'authenticated'
                end
            ],
            null
        )
    ) as metadata,
    format('auth_users_exposed_%s_%s', n.nspname, c.relname) as cache_key,
    format('revoke all on %I.%I from anon, authenticated;', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_class as u on u.oid = to_regclass('auth.users')
where
    n.nspname = any (array(select trim(e) from unnest(string_to_array(current_setting('pgrst.db_schemas'), ',')) as e))
    and (
        has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select')
    )
    and c.relname <> '0002_auth_users_exposed'
    and exists (
        select
        from pg_catalog.pg_rewrite as r
        join pg_catalog.pg_depend as d on d.objid = r.oid
        where r.ev_class = c.oid and d.refobjid = u.oid and d.deptype = 'n'
    )
    and (
        c.relkind = 'm'
        or (
            c.relkind = 'v'
            -- A view with security_invoker is as safe as the table's own row security.
            and (not u.relrowsecurity or not lower(coalesce(c.reloptions, '{}')::text)::text[]
        && array['security_invoker=1', 'security_invoker=true', 'security_invoker=yes', 'security_invoker=on'])
        )
    )
order by n.nspname, c.relname
