-- Indexes of tables and materialized views. As in the original, the column numbers of an index are
-- compared with those of its table, and an index without a common number is not listed.
select
    i.indexrelid::int8 as id,
    i.indrelid::int8 as table_id,
    n.nspname as schema,
    i.indnatts as number_of_attributes,
    i.indnkeyatts as number_of_key_attributes,
    i.indisunique as is_unique,
    i.indisprimary as is_primary,
    i.indisexclusion as is_exclusion,
    i.indimmediate as is_immediate,
    i.indisclustered as is_clustered,
    i.indisvalid as is_valid,
    i.indcheckxmin as check_xmin,
    i.indisready as is_ready,
    i.indislive as is_live,
    i.indisreplident as is_replica_identity,
    i.indkey::int2[] as key_attributes,
    i.indcollation::int4[] as collation,
    i.indclass::int4[] as class,
    i.indoption::int2[] as options,
    i.indpred as index_predicate,
    pg_catalog.obj_description(i.indexrelid, 'pg_class') as comment,
    pg_catalog.pg_get_indexdef(i.indexrelid) as index_definition,
    m.amname as access_method,
    attributes.index_attributes
from pg_catalog.pg_index as i
inner join pg_catalog.pg_class as c on c.oid = i.indexrelid
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
inner join pg_catalog.pg_class as t on t.oid = i.indrelid and t.relkind in ('r', 'm', 'p')
inner join pg_catalog.pg_am as m on m.oid = c.relam
cross join lateral (
    select pg_catalog.jsonb_agg(
        pg_catalog.jsonb_build_object(
            'attribute_number', a.attnum,
            'attribute_name', a.attname,
            'data_type', pg_catalog.format_type(a.atttypid, a.atttypmod)
        )
        order by a.attnum
    ) as index_attributes
    from pg_catalog.pg_attribute as a
    where a.attrelid = i.indexrelid and a.attnum = any(i.indkey)
) as attributes
where attributes.index_attributes is not null
