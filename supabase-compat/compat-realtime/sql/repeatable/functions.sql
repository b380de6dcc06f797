-- Functions that projects' triggers and policies call, and that compare filters, as any role that a
-- token names.
grant usage on schema realtime to public;

-- The channel that a policy decides about.
create or replace function realtime.topic() returns text
language sql stable set search_path = ''
as $topic$
    select nullif(pg_catalog.current_setting('realtime.topic', true), '')
$topic$;

-- Sends an event to all members of a channel when the transaction commits. A message that cannot be
-- sent does not roll back the change that it reports.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql set search_path = ''
as $send$
declare
    message constant uuid := pg_catalog.gen_random_uuid();
begin
    -- Policies on the table may read the channel.
    perform pg_catalog.set_config('realtime.topic', send.topic, true);
    insert into realtime.messages (id, payload, event, topic, private, extension)
    values (
        message,
        case
            when pg_catalog.jsonb_typeof(send.payload) = 'object' and not send.payload ? 'id'
                then send.payload || pg_catalog.jsonb_build_object('id', message)
            else send.payload
        end,
        send.event,
        send.topic,
        send.private,
        'broadcast'
    );
exception
    when others then
        raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$send$;

-- Sends a broadcast whose payload is bytes.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void
language plpgsql set search_path = ''
as $send$
begin
    perform pg_catalog.set_config('realtime.topic', send_binary.topic, true);
    insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (send_binary.payload, send_binary.event, send_binary.topic, send_binary.private, 'broadcast');
exception
    when others then
        raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$send$;

-- For a trigger: broadcasts the change of a row.
create or replace function realtime.broadcast_changes(
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
        pg_catalog.jsonb_build_object(
            'old_record', pg_catalog.to_jsonb(old), 'record', pg_catalog.to_jsonb(new), 'operation', operation,
            'table', table_name, 'schema', table_schema
        ),
        event_name,
        topic_name
    );
end
$changes$;

-- Compares two values of a type as a filter does; null if one of them is null. The program calls it
-- for types whose order it does not know itself.
create or replace function realtime.check_equality_op(
    op realtime.equality_op,
    type_ regtype,
    val_1 text,
    val_2 text
) returns boolean
language plpgsql immutable set search_path = 'public', 'extensions'
as $check$
declare
    sign constant text := case op
        when 'eq' then '='
        when 'neq' then '<>'
        when 'lt' then '<'
        when 'lte' then '<='
        when 'gt' then '>'
        when 'gte' then '>='
        when 'in' then '= any'
        when 'like' then '~~'
        when 'ilike' then '~~*'
        when 'match' then '~'
        when 'imatch' then '~*'
        when 'is' then 'is not distinct from'
        when 'isdistinct' then 'is distinct from'
    end;
    answer boolean;
begin
    -- The row does not have the column.
    if type_ is null then
        return null;
    end if;
    execute pg_catalog.format(
        case when op = 'in' then 'select %L::%s %s (%L::%s[])' else 'select %L::%s %s %L::%s' end,
        val_1, pg_catalog.format_type(type_, -1), sign, val_2, pg_catalog.format_type(type_, -1)
    )
    into answer;
    return answer;
end
$check$;

-- Whether every filter holds for a row.
create or replace function realtime.is_visible_through_filters(
    columns realtime.wal_column[],
    filters realtime.user_defined_filter[]
) returns boolean
language sql immutable set search_path = ''
as $visible$
    select answer.holds from (
        select coalesce(
            bool_and(
                coalesce(
                    realtime.check_equality_op(f.op, c.type_oid::regtype, c.value #>> '{}', f.value)
                    <> coalesce(f.negate, false),
                    false
                )
            ),
            true
        ) as holds
        from unnest(filters) as f
        left join unnest(columns) as c on c.name = f.column_name
    ) as answer
$visible$;

-- A value as its type prints it, so that a filter's value has the same form as those of the stream.
create or replace function realtime.canonical_text(val text, type_ regtype)
returns text
language plpgsql immutable set search_path = 'public', 'extensions'
as $canonical$
declare
    answer text;
begin
    -- Without a length: `character` and `bit` alone have length 1.
    execute pg_catalog.format('select (%L::%s)::text', val, pg_catalog.format_type(type_, -1))
    into answer;
    return answer;
end
$canonical$;

-- It runs with the rights of the caller: a type may be a project's own code.
grant execute on function realtime.canonical_text(text, regtype) to public;

-- Writes probe rows to find out who may read a channel: the program selects them as the caller, in
-- the same transaction, and rolls it back.
create or replace function realtime.write_probes(topic text, extensions text[])
returns table (id uuid, extension text)
language sql security definer set search_path = ''
as $probes$
    insert into realtime.messages (topic, extension)
    select
        write_probes.topic,
        wanted.extension
    from pg_catalog.unnest(write_probes.extensions) as wanted (extension)
    returning
        messages.id,
        messages.extension
$probes$;
revoke execute on function realtime.write_probes(text, text[]) from public;
grant execute on function realtime.write_probes(text, text[]) to authenticator;

-- Stores a client's broadcast in a private channel, for replay. The caller has checked the right to
-- store it.
create or replace function realtime.store_broadcast(topic text, event text, payload jsonb, binary_payload bytea)
returns uuid
language sql security definer set search_path = ''
as $store$
    insert into realtime.messages (topic, extension, event, payload, binary_payload, private, skip_broadcast)
    values (
        store_broadcast.topic,
        'broadcast',
        store_broadcast.event,
        store_broadcast.payload,
        store_broadcast.binary_payload,
        true,
        true
    )
    returning id
$store$;
revoke execute on function realtime.store_broadcast(text, text, jsonb, bytea) from public;
grant execute on function realtime.store_broadcast(text, text, jsonb, bytea) to authenticator;

-- A project's triggers run as the owner of both functions, and no one can change the role inside of
-- them. A superuser would have too many rights; a login of fewer rights keeps the functions, since
-- the project's code is its own, too.
do $$
begin
    if
        (select r.rolsuper from pg_catalog.pg_roles as r where r.rolname = current_user)
        and (select r.rolbypassrls from pg_catalog.pg_roles as r where r.rolname = 'service_role')
    then
        alter function realtime.write_probes(text, text[]) owner to service_role;
        alter function realtime.store_broadcast(text, text, jsonb, bytea) owner to service_role;
    end if;
end
$$;
