select
    format('Foreign table %s.%s is served, and anon or authenticated may read all of it.', n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'foreign table') as metadata,
    format('foreign_table_in_api_%s_%s', n.nspname, c.relname) as cache_key,
    format('revoke all on %I.%I from anon, authenticated;', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind = 'f'
    and (
        has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select')
    )
    and n.nspname = any (array(select trim(e) from unnest(string_to_array(current_setting('pgrst.db_schemas'), ',')) as e))
    and n.nspname <> all (current_setting('compat.managed_schemas')::name[])
    and not exists (
        select from pg_catalog.pg_depend as d where d.objid = c.oid and d.deptype = 'e'
    )
order by n.nspname, c.relname
