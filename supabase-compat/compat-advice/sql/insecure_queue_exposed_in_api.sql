select
    format('Queue %s.%s is served by pgmq_public without row level security.', n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'type', 'table') as metadata,
    -- The key of the original, under which users may have muted the notice.
    format('rls_disabled_in_public_%s_%s', n.nspname, c.relname) as cache_key,
    format('alter table %I.%I enable row level security;', n.nspname, c.relname) as statement
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind in ('r', 'I')
    and not c.relrowsecurity
    and (
        has_table_privilege('anon', c.oid, 'select') or has_table_privilege('authenticated', c.oid, 'select')
    )
    and n.nspname = 'pgmq'
    and c.relname like 'q\_%'
    and 'pgmq_public' = any (
        array(select trim(e) from unnest(string_to_array(current_setting('pgrst.db_schemas'), ',')) as e)
    )
order by n.nspname, c.relname
