-- Views. A view is updatable if rows can be updated and deleted (bits 2 and 4 of the events).
select
    c.oid::int8 as id,
    n.nspname as schema,
    c.relname as name,
    pg_catalog.pg_relation_is_updatable(c.oid, false) & 20 = 20 as is_updatable,
    pg_catalog.obj_description(c.oid, 'pg_class') as comment
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where c.relkind = 'v'
