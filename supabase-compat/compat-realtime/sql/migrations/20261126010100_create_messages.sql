-- `realtime.messages` by day, so that old ones go with their table. A schema that a project's preparation or
-- the original made keeps its policies, its triggers and its rows.
do $$
declare
    kept text[] := '{}';
    one record;
    statement text;
begin
    if (select c.relkind from pg_catalog.pg_class as c where c.oid = to_regclass('realtime.messages')) = 'r' then
        for one in
            select
                p.policyname,
                p.permissive,
                p.cmd,
                p.qual,
                p.with_check,
                (select string_agg(quote_ident(r), ', ') from unnest(p.roles) as r) as roles
            from pg_catalog.pg_policies as p
            where p.schemaname = 'realtime' and p.tablename = 'messages'
        loop
            kept := kept || format(
                'create policy %I on realtime.messages as %s for %s to %s%s%s',
                one.policyname, one.permissive, one.cmd, one.roles,
                ' using (' || one.qual || ')', ' with check (' || one.with_check || ')'
            );
        end loop;
        for one in
            select pg_catalog.pg_get_triggerdef(t.oid) as text
            from pg_catalog.pg_trigger as t
            where t.tgrelid = 'realtime.messages'::regclass and not t.tgisinternal and t.tgname <> 'old_messages_go'
        loop
            kept := kept || one.text;
        end loop;
        alter table realtime.messages rename to messages_before;
        alter table realtime.messages_before drop constraint if exists messages_pkey;
        drop index if exists realtime.messages_inserted_at;
    end if;

    if to_regclass('realtime.messages') is null then
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
        ) partition by range (inserted_at);
        alter table realtime.messages enable row level security;
        grant select, insert, update on realtime.messages to anon, authenticated, service_role;
    end if;
    alter table realtime.messages add column if not exists binary_payload bytea;
    if not exists (
        select
        from pg_catalog.pg_constraint as c
        where c.conrelid = 'realtime.messages'::regclass and c.contype = 'c' and c.conname like 'messages_payload%'
    ) then
        alter table realtime.messages add constraint messages_payload_exclusive
        check (payload is null or binary_payload is null);
    end if;
    create index if not exists messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
    where extension = 'broadcast' and private is true;

    foreach statement in array kept loop
        execute statement;
    end loop;
end
$$;

-- The days of messages: from yesterday to three days from now, none that ended more than three days ago. Gives how
-- many were made and dropped.
create function realtime.keep_message_days(at timestamptz) returns integer
language plpgsql set search_path = ''
as $keep$
declare
    today constant date := (at at time zone 'utc')::date;
    owner name;
    day date;
    place text;
    changed integer := 0;
begin
    -- Writers are not kept waiting by a day that somebody reads for long; the next turn tries again.
    perform pg_catalog.set_config('lock_timeout', '5s', true);
    -- Two processes make each day once.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('realtime.keep_message_days', 0));
    select pg_catalog.pg_get_userbyid(c.relowner)
    into owner
    from pg_catalog.pg_class as c
    where c.oid = 'realtime.messages'::regclass;
    for day in
        select today + n
        from pg_catalog.generate_series(-1, 3) as n
    loop
        place := 'messages_' || pg_catalog.to_char(day, 'YYYY_MM_DD');
        continue when pg_catalog.to_regclass('realtime.' || place) is not null;
        execute pg_catalog.format(
            'create table realtime.%I (like realtime.messages including defaults including constraints)', place
        );
        execute pg_catalog.format('alter table realtime.%I enable row level security', place);
        if owner <> current_user then
            execute pg_catalog.format('alter table realtime.%I owner to %I', place, owner);
        end if;
        execute pg_catalog.format(
            'alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)',
            place, day, day + 1
        );
        changed := changed + 1;
    end loop;
    for place in
        select c.relname
        from pg_catalog.pg_inherits as i
        join pg_catalog.pg_class as c on c.oid = i.inhrelid
        where
            i.inhparent = 'realtime.messages'::regclass
            and c.relname ~ '^messages_\d{4}_\d{2}_\d{2}$'
            and pg_catalog.to_date(pg_catalog.right(c.relname, 10), 'YYYY_MM_DD') + 1
            <= (at - interval '72 hours') at time zone 'utc'
    loop
        execute pg_catalog.format('drop table realtime.%I', place);
        changed := changed + 1;
    end loop;
    return changed;
end
$keep$;
revoke execute on function realtime.keep_message_days(timestamptz) from public;

select realtime.keep_message_days(now());

do $$
begin
    if to_regclass('realtime.messages_before') is null then
        return;
    end if;
    insert into realtime.messages (topic, extension, payload, event, private, updated_at, inserted_at, id)
    select
        m.topic,
        m.extension,
        m.payload,
        m.event,
        m.private,
        m.updated_at,
        m.inserted_at,
        m.id
    from realtime.messages_before as m
    where
        m.inserted_at >= (now() at time zone 'utc')::date - 1
        and m.inserted_at < (now() at time zone 'utc')::date + 4;
    begin
        drop table realtime.messages_before;
    exception
        when dependent_objects_still_exist then
            raise warning 'realtime.messages_before stays: something of this database depends on it.';
    end;
    drop function if exists realtime.forget_old_messages();
exception
    when dependent_objects_still_exist then
        null;
end
$$;

-- What the program reads to pass messages on. Somebody else's server may allow no publication; the program says
-- then what does not work.
do $$
begin
    if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime_messages_publication') then
        create publication supabase_realtime_messages_publication
        for table realtime.messages with (publish = 'insert', publish_via_partition_root = true);
    end if;
    -- Made here too where no project's preparation makes it.
    if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
        create publication supabase_realtime;
    end if;
exception
    when insufficient_privilege then
        raise warning 'Publications of realtime/v1 are missing: this login may not make them.';
end
$$;
