-- Notifies a running rest/v1 of created and dropped objects. Names and scope are those of
-- Supabase's images, so that a database from such an image keeps its own triggers.
grant usage on schema extensions to anon, authenticated, service_role;

do $$
begin
    create or replace function extensions.pgrst_ddl_watch() returns event_trigger
    language plpgsql set search_path = ''
    as $watch$
    begin
        if exists (
            select
            from pg_catalog.pg_event_trigger_ddl_commands() as made
            where
                case
                    when made.command_tag = 'CREATE TRIGGER' then
                        made.object_identity not like '% pg\_temp.%'
                    else
                        coalesce(made.schema_name, '')
                        not in ('pg_temp', 'auth', 'realtime', '_realtime', 'storage')
                        and made.command_tag in (
                            'CREATE SCHEMA', 'ALTER SCHEMA',
                            'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
                            'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE',
                            'CREATE VIEW', 'ALTER VIEW',
                            'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW',
                            'CREATE FUNCTION', 'ALTER FUNCTION',
                            'CREATE TYPE', 'ALTER TYPE',
                            'CREATE RULE',
                            'COMMENT'
                        )
                end
        ) then
            notify pgrst, 'reload schema';
        end if;
    end
    $watch$;

    create or replace function extensions.pgrst_drop_watch() returns event_trigger
    language plpgsql set search_path = ''
    as $watch$
    begin
        if exists (
            select
            from pg_catalog.pg_event_trigger_dropped_objects() as gone
            where
                case
                    when gone.object_type = 'trigger' then
                        gone.object_identity not like '% pg\_temp.%'
                    else
                        not gone.is_temporary
                        and coalesce(gone.schema_name, '')
                        not in ('auth', 'realtime', '_realtime', 'storage')
                        and gone.object_type in (
                            'schema', 'table', 'foreign table', 'view', 'materialized view',
                            'function', 'type', 'rule'
                        )
                end
        ) then
            notify pgrst, 'reload schema';
        end if;
    end
    $watch$;

    if not exists (
        select from pg_catalog.pg_event_trigger where evtname = 'pgrst_ddl_watch'
    ) then
        create event trigger pgrst_ddl_watch on ddl_command_end
        execute function extensions.pgrst_ddl_watch();
    end if;
    if not exists (
        select from pg_catalog.pg_event_trigger where evtname = 'pgrst_drop_watch'
    ) then
        create event trigger pgrst_drop_watch on sql_drop
        execute function extensions.pgrst_drop_watch();
    end if;
exception
    -- Only superusers create event triggers, and those of an image belong to its administrator. The
    -- program reports the consequences of missing triggers.
    when insufficient_privilege then
        null;
end
$$;
