select
    format('Foreign key %s of %s.%s refers to a unique constraint of the schema auth.', k.conname, n.nspname, c.relname) as detail,
    jsonb_build_object('schema', n.nspname, 'name', c.relname, 'foreign_key', k.conname) as metadata,
    format('fkey_to_auth_unique_%s_%s_%s', n.nspname, c.relname, k.conname) as cache_key,
    format('alter table %I.%I drop constraint %I;', n.nspname, c.relname, k.conname) as statement
from pg_catalog.pg_constraint as k
join pg_catalog.pg_class as c on c.oid = k.conrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
join pg_catalog.pg_class as u on u.oid = k.confrelid
join pg_catalog.pg_index as i on i.indexrelid = k.conindid
where
    k.contype = 'f'
    and u.relnamespace = to_regnamespace('auth')
    and i.indisunique
    and not i.indisprimary
order by n.nspname, c.relname, k.conname
