select
    format('Column %s of %s.%s has the type %s, which pg_upgrade refuses.', a.attname, n.nspname, c.relname, t.typname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'column', a.attname, 'type', 'table') as metadata,
    format('unsupported_reg_types_%s_%s_%s', n.nspname, c.relname, a.attname) as cache_key,
    format('alter table %I.%I alter column %I type text;', n.nspname, c.relname, a.attname) as statement
from pg_catalog.pg_attribute as a
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_type as t on t.oid = a.atttypid
where
    t.typnamespace = 'pg_catalog'::regnamespace
    and t.typname in (
        'regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper', 'regoperator', 'regproc',
        'regprocedure'
    )
    and n.nspname not in ('pg_catalog', 'information_schema', 'pgsodium')
order by n.nspname, c.relname, a.attname
