-- Who owns what in a project. Looked after at every start, since a restored dump says otherwise, and
-- since schemas are made later than roles.

-- Made anew at the next start if the machine fails now, so the disk is not waited for: the next commit that is, brings it along.
set local synchronous_commit = off;

do $$
declare
    managed constant name[] := array[
        'auth', 'storage', 'realtime', 'extensions', 'graphql_public', 'vault', 'net', 'cron',
        'pgmq', 'pgmq_public', 'supabase_functions', '_console'
    ];
    one record;
begin
    -- Only a superuser loses nothing by owning no schema.
    if not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
        return;
    end if;

    -- The schemas that belong to the services and not to the project, under the name that hosted projects
    -- know them by: the official CLI's `db reset` drops every schema that `supabase_admin` does not own.
    for one in
        select n.nspname
        from pg_catalog.pg_namespace as n
        join pg_catalog.pg_roles as r on r.rolname = 'supabase_admin'
        where n.nspowner <> r.oid and n.nspname = any (managed)
    loop
        execute format('alter schema %I owner to supabase_admin', one.nspname);
    end loop;

    if current_user <> 'supabase_admin'
        or exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolsuper)
        or not exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
        return;
    end if;

    -- From here on `postgres` is a login without superuser rights. What is the project's is its own; the
    -- owner of an event trigger or a foreign data wrapper has to be a superuser when it becomes that.
    alter role postgres superuser;
    for one in
        with things as (
            select 'pg_namespace'::regclass as catalogue, n.oid, n.nspowner as owner, n.nspname as schema
            from pg_catalog.pg_namespace as n
            union all
            select 'pg_class'::regclass, c.oid, c.relowner, n.nspname
            from pg_catalog.pg_class as c
            join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
            where
                c.relkind in ('r', 'p', 'v', 'm', 'f')
                or (
                    c.relkind = 'S'
                    -- A column's own goes with its table.
                    and not exists (
                        select
                        from pg_catalog.pg_depend as d
                        where
                            d.classid = 'pg_class'::regclass and d.objid = c.oid
                            and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
                    )
                )
            union all
            select 'pg_proc'::regclass, p.oid, p.proowner, n.nspname
            from pg_catalog.pg_proc as p
            join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
            union all
            select 'pg_type'::regclass, t.oid, t.typowner, n.nspname
            from pg_catalog.pg_type as t
            join pg_catalog.pg_namespace as n on n.oid = t.typnamespace
            left join pg_catalog.pg_class as c on c.oid = t.typrelid
            where (t.typrelid = 0 or c.relkind = 'c') and t.typtype <> 'm' and t.typelem = 0
            union all
            select 'pg_operator'::regclass, o.oid, o.oprowner, n.nspname
            from pg_catalog.pg_operator as o
            join pg_catalog.pg_namespace as n on n.oid = o.oprnamespace
            union all
            select 'pg_collation'::regclass, o.oid, o.collowner, n.nspname
            from pg_catalog.pg_collation as o
            join pg_catalog.pg_namespace as n on n.oid = o.collnamespace
            union all
            select 'pg_ts_config'::regclass, o.oid, o.cfgowner, n.nspname
            from pg_catalog.pg_ts_config as o
            join pg_catalog.pg_namespace as n on n.oid = o.cfgnamespace
            union all
            select 'pg_ts_dict'::regclass, o.oid, o.dictowner, n.nspname
            from pg_catalog.pg_ts_dict as o
            join pg_catalog.pg_namespace as n on n.oid = o.dictnamespace
            union all
            select 'pg_statistic_ext'::regclass, o.oid, o.stxowner, n.nspname
            from pg_catalog.pg_statistic_ext as o
            join pg_catalog.pg_namespace as n on n.oid = o.stxnamespace
            union all
            select 'pg_publication'::regclass, o.oid, o.pubowner, null
            from pg_catalog.pg_publication as o
            union all
            select 'pg_foreign_data_wrapper'::regclass, o.oid, o.fdwowner, null
            from pg_catalog.pg_foreign_data_wrapper as o
            union all
            select 'pg_foreign_server'::regclass, o.oid, o.srvowner, null
            from pg_catalog.pg_foreign_server as o
            union all
            select 'pg_event_trigger'::regclass, o.oid, o.evtowner, null
            from pg_catalog.pg_event_trigger as o
            where o.evtname !~ '^(pgrst|compat)_'
        )
        select i.type, i.identity
        from things as t
        cross join lateral pg_catalog.pg_identify_object(t.catalogue, t.oid, 0) as i
        where
            t.owner = current_user::regrole
            and coalesce(t.schema, '') !~ '^(pg_|information_schema$)'
            -- Queues are made and dropped by their functions' callers, jobs are those of who schedules them.
            and (
                t.schema is null
                or t.schema <> all (managed)
                or (
                    t.catalogue = 'pg_class'::regclass and t.schema in ('cron', 'pgmq')
                    and i.name !~ '^compat_'
                )
            )
            and not exists (
                select
                from pg_catalog.pg_depend as d
                where d.classid = t.catalogue and d.objid = t.oid and d.deptype = 'e'
            )
        order by t.catalogue, t.oid
    loop
        execute format(
            'alter %s %s owner to postgres',
            case one.type
                when 'foreign-data wrapper' then 'foreign data wrapper'
                when 'statistics object' then 'statistics'
                else one.type
            end,
            one.identity
        );
    end loop;
    alter role postgres nosuperuser;

    -- There is no command for it. Whoever owns an extension may drop it; what every project has stays.
    update pg_catalog.pg_extension
    set extowner = 'postgres'::regrole
    where
        extowner = current_user::regrole
        and extname not in (
            'plpgsql', 'pgcrypto', 'uuid-ossp', 'pg_stat_statements', 'pg_net', 'pg_cron', 'supabase_vault', 'pgmq'
        );

    -- Tables that a project puts policies on belong to roles that `postgres` is a member of.
    for one in
        select c.oid::regclass as place, w.owner
        from pg_catalog.pg_class as c
        join (
            values
                ('storage'::name, 'supabase_storage_admin'::name),
                ('realtime', 'supabase_realtime_admin'),
                ('supabase_functions', 'supabase_functions_admin')
        ) as w (schema, owner) on c.relnamespace = to_regnamespace(w.schema)
        where c.relkind in ('r', 'p') and c.relname !~ '^compat_' and c.relowner = current_user::regrole
    loop
        execute format('alter table %s owner to %I', one.place, one.owner);
    end loop;
end
$$;
