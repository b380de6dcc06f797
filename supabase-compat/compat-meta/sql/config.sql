-- The server's settings, with the values of this session.
select
    s.name,
    s.setting,
    s.category,
    pg_catalog.btrim(pg_catalog.split_part(s.category, '/', 1)) as "group",
    pg_catalog.btrim(pg_catalog.split_part(s.category, '/', 2)) as subgroup,
    s.unit,
    s.short_desc,
    s.extra_desc,
    s.context,
    s.vartype,
    s.source,
    s.min_val,
    s.max_val,
    s.enumvals,
    s.boot_val,
    s.reset_val,
    s.sourcefile,
    s.sourceline,
    s.pending_restart
from pg_catalog.pg_settings as s
