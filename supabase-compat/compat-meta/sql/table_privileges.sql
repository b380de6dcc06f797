-- Privileges on each relation, by its access list or, without one, by the default.
select
    c.oid as relation_id,
    n.nspname as schema,
    c.relname as name,
    case c.relkind
        when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized_view'
        when 'f' then 'foreign_table' when 'p' then 'partitioned_table'
    end as kind,
    coalesce(
        (
            select pg_catalog.jsonb_agg(
                pg_catalog.jsonb_build_object(
                    'grantor', g.rolname,
                    'grantee', case a.grantee when 0 then 'PUBLIC' else r.rolname end,
                    'privilege_type', a.privilege_type,
                    'is_grantable', a.is_grantable
                )
            )
            from pg_catalog.aclexplode(coalesce(c.relacl, pg_catalog.acldefault('r', c.relowner))) as a
            left join pg_catalog.pg_roles as g on g.oid = a.grantor
            left join pg_catalog.pg_roles as r on r.oid = a.grantee
        ),
        '[]'
    ) as privileges
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    c.relkind in ('r', 'v', 'm', 'f', 'p')
    and not pg_catalog.pg_is_other_temp_schema(c.relnamespace)
    and (
        pg_catalog.pg_has_role(c.relowner, 'usage')
        or pg_catalog.has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
        or pg_catalog.has_any_column_privilege(c.oid, 'select, insert, update, references')
    )
