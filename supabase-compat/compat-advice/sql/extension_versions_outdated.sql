select
    format('Extension %s has version %s, and the server offers %s.', e.name, e.installed_version, e.default_version) as detail,
    jsonb_build_object(
        'extension_name', e.name, 'installed_version', e.installed_version, 'default_version', e.default_version
    ) as metadata,
    format('extension_versions_outdated_%s_%s', e.name, e.installed_version) as cache_key,
    format('alter extension %I update;', e.name) as statement
from pg_catalog.pg_available_extensions as e
where
    e.installed_version <> e.default_version
    -- A version without an installation script is left over from an upgrade of the server.
    and exists (
        select from pg_catalog.pg_available_extension_versions as v where v.name = e.name and v.installed
    )
order by e.name
