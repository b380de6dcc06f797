select
    coalesce(
        jsonb_agg(
            jsonb_build_object(
                'name', e.name, 'schema', n.nspname, 'default_version', e.default_version,
                'installed_version', x.extversion, 'comment', e.comment
            )
            order by e.name
        ),
        '[]'
    ) as extensions
from pg_catalog.pg_available_extensions() as e (name, default_version, comment)
left join pg_catalog.pg_extension as x on x.extname = e.name
left join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
