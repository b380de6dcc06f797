-- An estimate from the planner's statistics and the size of a row: a header of 23 bytes and a bit
-- for each nullable column, padded to 4 bytes, and a line pointer of 4 bytes, on pages with 20
-- bytes of overhead.
with widths as (
    select
        s.schemaname, s.tablename,
        sum((1 - s.null_frac) * s.avg_width) as data,
        max(s.null_frac) as most_null,
        23 + 1 + count(*) filter (where s.null_frac <> 0) / 8 as header_with_nulls
    from pg_catalog.pg_stats as s
    group by s.schemaname, s.tablename
),
sizes as (
    select
        w.schemaname, w.tablename, c.relpages,
        current_setting('block_size')::numeric as page,
        ceil(
            c.reltuples * (
                pg_catalog.ceil((w.data + 24) / 4) * 4
                + w.most_null * (ceil(w.header_with_nulls / 4.0) * 4)
                + 4
            ) / (current_setting('block_size')::float - 20)
        ) as needed
    from widths as w
    join pg_catalog.pg_namespace as n on n.nspname = w.schemaname
    join pg_catalog.pg_class as c on c.relname = w.tablename and c.relnamespace = n.oid
    join pg_catalog.pg_am as m on m.oid = c.relam
    where c.relkind = 'r' and m.amname = 'heap' and n.nspname <> 'information_schema'
)
select
    format('Table %s.%s takes %s times the space of its rows.', z.schemaname, z.tablename, round((z.relpages / z.needed)::numeric)) as detail,
    jsonb_build_object('schema', z.schemaname, 'name', z.tablename, 'type', 'table') as metadata,
    format('table_bloat_%s_%s', z.schemaname, z.tablename) as cache_key,
    format('vacuum full %I.%I;', z.schemaname, z.tablename) as statement
from sizes as z
where
    z.needed > 0
    and z.relpages / z.needed > 70
    and z.page * (z.relpages - z.needed)::numeric > 20 * 1024 * 1024
order by z.schemaname, z.tablename
