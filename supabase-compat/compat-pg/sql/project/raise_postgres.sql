-- `postgres` without superuser rights may still make the extensions of hosted projects, publications and
-- foreign data wrappers, which are its own then, and drop its triggers on accounts: it is a superuser for
-- the one command, inside whose transaction nobody else sees it. There, the module `supautils` does so. It
-- keeps mistakes away, not attackers.
do $$
begin
    if current_user <> 'supabase_admin'
        or exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolsuper)
        or not exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
        return;
    end if;

    create or replace function extensions.compat_raise_postgres() returns event_trigger
    language plpgsql security definer set search_path = ''
    as $raise$
    declare
        is_hosted boolean := true;
    begin
        -- What an extension's own script does is part of making it. A dump may bring this to a server
        -- where `postgres` is a superuser, or where this function's owner is none.
        if session_user <> 'postgres'
            or coalesce(current_setting('compat.raised_for', true), '') <> ''
            or (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = 'postgres')
            or not (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user) then
            return;
        end if;
        if tg_tag = 'CREATE EXTENSION' then
            select
                bool_and(lower(made.words[1]) in (
                    'address_standardizer', 'address_standardizer_data_us', 'autoinc', 'bloom', 'btree_gin',
                    'btree_gist', 'citext', 'cube', 'dblink', 'dict_int', 'dict_xsyn', 'earthdistance',
                    'fuzzystrmatch', 'hstore', 'http', 'hypopg', 'index_advisor', 'insert_username', 'intarray',
                    'ip4r', 'isn', 'ltree', 'moddatetime', 'pg_buffercache', 'pg_cron', 'pg_graphql', 'pg_hashids',
                    'pg_jsonschema', 'pg_net', 'pg_partman', 'pg_prewarm', 'pg_repack', 'pg_stat_monitor',
                    'pg_stat_statements', 'pg_tle', 'pg_trgm', 'pg_walinspect', 'pgaudit', 'pgcrypto', 'pgjwt',
                    'pgmq', 'pgroonga', 'pgroonga_database', 'pgrouting', 'pgrowlocks', 'pgsodium', 'pgstattuple',
                    'pgtap', 'plcoffee', 'pljava', 'plls', 'plpgsql_check', 'plv8', 'postgis', 'postgis_raster',
                    'postgis_sfcgal', 'postgis_tiger_geocoder', 'postgis_topology', 'postgres_fdw', 'refint',
                    'rum', 'seg', 'sslinfo', 'supabase_vault', 'tablefunc', 'tcn', 'timescaledb',
                    'tsm_system_rows', 'tsm_system_time', 'unaccent', 'uuid-ossp', 'vector', 'wrappers'
                ))
            into is_hosted
            from regexp_matches(
                current_query(),
                'create\s+extension\s+(?:if\s+not\s+exists\s+)?"?([a-z0-9_-]+)',
                'gi'
            ) as made (words);
        elsif tg_tag = 'DROP TRIGGER' then
            is_hosted := current_query() ~* '\mdrop\s+trigger\M[^;]*\mon\s+"?auth"?\s*\.';
        end if;
        if is_hosted then
            perform set_config('compat.raised_for', tg_tag, true);
            alter role postgres superuser;
        end if;
    end
    $raise$;

    create or replace function extensions.compat_lower_postgres() returns event_trigger
    language plpgsql security definer set search_path = ''
    as $lower$
    begin
        if session_user = 'postgres' and current_setting('compat.raised_for', true) = tg_tag then
            perform set_config('compat.raised_for', '', true);
            alter role postgres nosuperuser;
        end if;
    end
    $lower$;

    if not exists (select from pg_catalog.pg_event_trigger where evtname = 'compat_raise_postgres') then
        create event trigger compat_raise_postgres on ddl_command_start
        when tag in (
            'CREATE EXTENSION', 'ALTER EXTENSION', 'CREATE PUBLICATION', 'ALTER PUBLICATION',
            'CREATE FOREIGN DATA WRAPPER', 'ALTER FOREIGN DATA WRAPPER', 'DROP TRIGGER'
        )
        execute function extensions.compat_raise_postgres();
    end if;
    if not exists (select from pg_catalog.pg_event_trigger where evtname = 'compat_lower_postgres') then
        create event trigger compat_lower_postgres on ddl_command_end
        when tag in (
            'CREATE EXTENSION', 'ALTER EXTENSION', 'CREATE PUBLICATION', 'ALTER PUBLICATION',
            'CREATE FOREIGN DATA WRAPPER', 'ALTER FOREIGN DATA WRAPPER', 'DROP TRIGGER'
        )
        execute function extensions.compat_lower_postgres();
    end if;
end
$$;
