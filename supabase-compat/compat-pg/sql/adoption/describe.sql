-- What a schema consists of, as data: made of our own migrations beside the one that is adopted.
create or replace function pg_temp.compat_describe(of_schema text) returns jsonb
language plpgsql set search_path = ''
as $describe$
declare
    described jsonb;
    one record;
    held jsonb;
    filled jsonb := '{}';
begin
    select jsonb_build_object(
        'types', (
            select coalesce(jsonb_agg(jsonb_build_object('name', t.typname, 'labels', (
                select jsonb_agg(e.enumlabel order by e.enumsortorder)
                from pg_catalog.pg_enum as e
                where e.enumtypid = t.oid
            )) order by t.oid), '[]')
            from pg_catalog.pg_type as t
            where t.typnamespace = n.oid and t.typtype = 'e'
        ),
        'tables', (
            select coalesce(jsonb_agg(c.relname order by c.oid), '[]')
            from pg_catalog.pg_class as c
            where c.relnamespace = n.oid and c.relkind = 'r'
        ),
        'columns', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'table', c.relname,
                'name', a.attname,
                'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
                'kind', t.typcategory,
                'collation', case when a.attcollation <> t.typcollation then l.collname end,
                'required', a.attnotnull,
                'generated', a.attgenerated,
                'identity', a.attidentity,
                'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid)
            ) order by c.oid, a.attnum), '[]')
            from pg_catalog.pg_class as c
            inner join pg_catalog.pg_attribute as a on c.oid = a.attrelid and a.attnum > 0 and not a.attisdropped
            inner join pg_catalog.pg_type as t on a.atttypid = t.oid
            left join pg_catalog.pg_collation as l on a.attcollation = l.oid
            left join pg_catalog.pg_attrdef as d on c.oid = d.adrelid and a.attnum = d.adnum
            where c.relnamespace = n.oid and c.relkind = 'r'
        ),
        -- Keys before those that refer to them.
        'constraints', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'table', c.relname,
                'name', k.conname,
                'text', pg_catalog.pg_get_constraintdef(k.oid)
            ) order by k.contype = 'f', k.oid), '[]')
            from pg_catalog.pg_class as c
            inner join pg_catalog.pg_constraint as k on c.oid = k.conrelid
            where c.relnamespace = n.oid and c.relkind = 'r' and k.contype in ('p', 'u', 'c', 'f')
        ),
        'indexes', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'table', c.relname, 'name', i.relname, 'text', pg_catalog.pg_get_indexdef(i.oid)
            ) order by i.oid), '[]')
            from pg_catalog.pg_index as x
            inner join pg_catalog.pg_class as c on x.indrelid = c.oid
            inner join pg_catalog.pg_class as i on x.indexrelid = i.oid
            where
                c.relnamespace = n.oid
                and c.relkind = 'r'
                and not exists (select from pg_catalog.pg_constraint as k where k.conindid = i.oid)
        ),
        'functions', (
            select coalesce(jsonb_agg(distinct p.proname), '[]')
            from pg_catalog.pg_proc as p
            where p.pronamespace = n.oid
        )
    )
    into described
    from pg_catalog.pg_namespace as n
    where n.nspname = of_schema;

    -- Rows that migrations begin a table with.
    for one in
        select c.relname
        from pg_catalog.pg_class as c
        where c.relnamespace = of_schema::regnamespace and c.relkind = 'r' and c.relname not like 'compat\_%'
    loop
        execute format('select jsonb_agg(to_jsonb(t)) from %I.%I as t', of_schema, one.relname) into held;
        if held is not null then
            filled := filled || jsonb_build_object(one.relname, held);
        end if;
    end loop;
    return described || jsonb_build_object('rows', filled);
end
$describe$;
