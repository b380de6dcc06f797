-- What a Supabase project's migrations find there and do not make themselves. Made once, so that an
-- operator who takes something of it back is obeyed, and a database from there keeps its own.

-- The roles by name, for `owner to`, `grant` and `alter default privileges for role`.
do $$
declare
    wanted name;
begin
    foreach wanted in array array[
        'postgres', 'supabase_admin', 'dashboard_user', 'supabase_realtime_admin',
        'supabase_functions_admin', 'supabase_replication_admin', 'supabase_read_only_user', 'pgbouncer'
    ] loop
        if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin noinherit', wanted);
            exception
                when duplicate_object or unique_violation or insufficient_privilege then
                    null;
            end;
        end if;
    end loop;
end
$$;

-- The extensions every project has. One that the server's packages lack is missed by whoever calls it.
do $$
declare
    wanted name;
begin
    foreach wanted in array array['pgcrypto', 'uuid-ossp', 'pg_stat_statements'] loop
        begin
            execute format('create extension if not exists %I with schema extensions', wanted);
        exception
            when feature_not_supported or undefined_file or insufficient_privilege then
                raise warning 'The extension % is not there: %', wanted, sqlerrm;
        end;
    end loop;
end
$$;

-- What is to be told of as it changes.
do $$
begin
    if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
        create publication supabase_realtime;
    end if;
exception
    when insufficient_privilege then
        raise warning 'There is no publication supabase_realtime: this login may not make one.';
end
$$;

-- Messages to channels, as far as they are plain SQL: policies on them hold, `send` keeps them.
do $$
begin
    if exists (select from pg_catalog.pg_namespace where nspname = 'realtime') then
        return;
    end if;

    create schema realtime;
    grant usage on schema realtime to anon, authenticated, service_role;

    create table realtime.messages (
        topic text not null,
        extension text not null,
        payload jsonb,
        event text,
        private boolean default false,
        updated_at timestamp not null default now(),
        inserted_at timestamp not null default now(),
        id uuid not null default gen_random_uuid(),
        primary key (id, inserted_at)
    );
    create index messages_inserted_at on realtime.messages (inserted_at);
    alter table realtime.messages enable row level security;
    grant select, insert, update on realtime.messages to anon, authenticated, service_role;

    -- The channel a policy is asked about.
    create function realtime.topic() returns text
    language sql stable set search_path = ''
    as $topic$
        select nullif(current_setting('realtime.topic', true), '')
    $topic$;

    create function realtime.send(payload jsonb, event text, topic text, private boolean default true)
    returns void
    language plpgsql set search_path = ''
    as $send$
    begin
        insert into realtime.messages (payload, event, topic, private, extension)
        values (send.payload, send.event, send.topic, send.private, 'broadcast');
    exception
        -- A message that cannot be kept takes nothing back of what it tells of.
        when others then
            raise warning 'The message was not kept: %', sqlerrm;
    end
    $send$;

    -- Kept for three days, as there. Old ones go with whatever is written, by the table's owner: who may write messages
    -- may delete none.
    create function realtime.forget_old_messages() returns trigger
    language plpgsql security definer set search_path = ''
    as $forget$
    begin
        delete from realtime.messages
        where id in (
            select m.id
            from realtime.messages as m
            where m.inserted_at < now() at time zone 'utc' - interval '3 days'
            order by m.inserted_at
            limit 100
            -- Nobody waits for another who does the same.
            for update skip locked
        );
        return null;
    end
    $forget$;
    revoke execute on function realtime.forget_old_messages() from public;

    create trigger old_messages_go after insert on realtime.messages
    for each statement execute function realtime.forget_old_messages();

    -- For a trigger: what became of a row.
    create function realtime.broadcast_changes(
        topic_name text,
        event_name text,
        operation text,
        table_name text,
        table_schema text,
        new record,
        old record,
        level text default 'ROW'
    ) returns void
    language plpgsql set search_path = ''
    as $changes$
    begin
        if level = 'STATEMENT' then
            raise exception 'Changes are told of row by row: let the trigger run for each row.';
        end if;
        perform realtime.send(
            jsonb_build_object(
                'old_record', to_jsonb(old), 'record', to_jsonb(new), 'operation', operation,
                'table', table_name, 'schema', table_schema
            ),
            event_name,
            topic_name
        );
    end
    $changes$;
end
$$;

-- Named by `api.schemas` of every template, and called by clients of GraphQL, which is told that there is none.
do $$
begin
    if exists (select from pg_catalog.pg_namespace where nspname = 'graphql_public') then
        return;
    end if;

    create schema graphql_public;
    grant usage on schema graphql_public to anon, authenticated, service_role;

    create function graphql_public.graphql(
        "operationName" text default null,
        query text default null,
        variables jsonb default null,
        extensions jsonb default null
    ) returns jsonb
    language sql stable set search_path = ''
    as $graphql$
        select '{"errors": [{"message": "pg_graphql extension is not enabled."}]}'::jsonb
    $graphql$;
end
$$;
