-- `realtime.send` runs as its caller, who may write messages and delete none: it lost what it was to
-- keep. Old ones now go with whatever is written, by the table's owner.
do $$
begin
    -- A database from elsewhere keeps its own.
    if not exists (
        select
        from pg_catalog.pg_proc as p
        where
            p.oid = to_regprocedure('realtime.send(jsonb, text, text, boolean)')
            and p.prosrc like '%The message was not kept%'
            and pg_catalog.pg_has_role(p.proowner, 'usage')
    ) then
        return;
    end if;

    create or replace function realtime.send(
        payload jsonb, event text, topic text, private boolean default true
    ) returns void
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
end
$$;
