-- Types, including arrays and stand-alone composite types, without row types of tables and views.
select
    t.oid::int8 as id,
    t.typname as name,
    n.nspname as schema,
    pg_catalog.format_type(t.oid, null) as format,
    coalesce(
        (
            select pg_catalog.jsonb_agg(l.enumlabel order by l.enumsortorder)
            from pg_catalog.pg_enum as l
            where l.enumtypid = t.oid
        ),
        '[]'
    ) as enums,
    coalesce(
        (
            select pg_catalog.jsonb_agg(
                pg_catalog.jsonb_build_object('name', a.attname, 'type_id', a.atttypid::int8) order by a.attnum
            )
            from pg_catalog.pg_attribute as a
            where a.attrelid = t.typrelid and t.typrelid <> 0 and not a.attisdropped
        ),
        '[]'
    ) as attributes,
    pg_catalog.obj_description(t.oid, 'pg_type') as comment,
    nullif(t.typrelid::int8, 0) as type_relation_id
from pg_catalog.pg_type as t
left join pg_catalog.pg_namespace as n on n.oid = t.typnamespace
left join pg_catalog.pg_class as c on c.oid = t.typrelid
where t.typrelid = 0 or c.relkind = 'c'
