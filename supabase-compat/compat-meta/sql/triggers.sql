-- Triggers that `information_schema.triggers` shows: those for inserts, updates and deletes, on
-- tables on which the login has a privilege other than `select`. The bits of the type are those of
-- PostgreSQL's `pg_trigger.h`.
select
    t.oid::int8 as id,
    t.tgrelid::int8 as table_id,
    case t.tgenabled when 'D' then 'DISABLED' when 'O' then 'ORIGIN' when 'R' then 'REPLICA' when 'A' then 'ALWAYS' end
        as enabled_mode,
    (pg_catalog.string_to_array(pg_catalog.encode(t.tgargs, 'escape'), '\000'))[:t.tgnargs] as function_args,
    t.tgname as name,
    c.relname as "table",
    n.nspname as schema,
    case
        when pg_catalog.pg_has_role(c.relowner, 'usage')
            then (pg_catalog.regexp_match(pg_catalog.pg_get_triggerdef(t.oid), '.{35,} WHEN \((.+)\) EXECUTE FUNCTION'))[1]
    end as condition,
    case when t.tgtype & 1 <> 0 then 'ROW' else 'STATEMENT' end as orientation,
    case t.tgtype & 66 when 2 then 'BEFORE' when 64 then 'INSTEAD OF' else 'AFTER' end as activation,
    array(
        select event
        from (values (4, 'INSERT'), (8, 'DELETE'), (16, 'UPDATE')) as events (bit, event)
        where t.tgtype & bit <> 0
    ) as events,
    p.proname as function_name,
    pn.nspname as function_schema
from pg_catalog.pg_trigger as t
inner join pg_catalog.pg_class as c on c.oid = t.tgrelid
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
inner join pg_catalog.pg_proc as p on p.oid = t.tgfoid
inner join pg_catalog.pg_namespace as pn on pn.oid = p.pronamespace
where
    not t.tgisinternal
    and t.tgtype & 28 <> 0
    and not pg_catalog.pg_is_other_temp_schema(n.oid)
    and (
        pg_catalog.pg_has_role(c.relowner, 'usage')
        or pg_catalog.has_table_privilege(c.oid, 'insert, update, delete, truncate, references, trigger')
        or pg_catalog.has_any_column_privilege(c.oid, 'insert, update, references')
    )
