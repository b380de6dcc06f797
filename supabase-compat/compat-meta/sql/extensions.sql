-- Available extensions, installed or not.
select
    e.name,
    n.nspname as schema,
    e.default_version,
    x.extversion as installed_version,
    e.comment
from pg_catalog.pg_available_extensions() as e (name, default_version, comment)
left join pg_catalog.pg_extension as x on x.extname = e.name
left join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
