-- Sends, reads, delays, archives and deletes messages. A message that was read is hidden from other
-- readers until its visibility timeout ends. All functions run as their caller, who needs
-- privileges on the queue's table.
create or replace function pgmq.send_batch(
    queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz
) returns setof bigint
language plpgsql set search_path = ''
as $$
begin
    if cardinality(send_batch.headers) <> cardinality(send_batch.msgs) then
        raise exception 'There are % messages and % headers', cardinality(msgs), cardinality(headers)
            using errcode = '22023';
    end if;
    return query execute format(
        'insert into %s (vt, message, headers)
        select $2, m.message, m.headers
        from unnest($1, coalesce($3, ''{}'')) with ordinality as m (message, headers, place)
        order by m.place
        returning msg_id',
        pgmq._table('q', send_batch.queue_name)
    ) using send_batch.msgs, send_batch.delay, send_batch.headers;
end
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer default 0) returns setof bigint
language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay)) $$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, null, delay) $$;

create or replace function pgmq.send_batch(
    queue_name text, msgs jsonb[], headers jsonb[], delay integer default 0
) returns setof bigint
language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;

create or replace function pgmq.send(queue_name text, msg jsonb, delay integer default 0) returns setof bigint
language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, array[msg], null, clock_timestamp() + make_interval(secs => delay)) $$;

create or replace function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language sql set search_path = ''
as $$ select pgmq.send_batch(queue_name, array[msg], null, delay) $$;

create or replace function pgmq.send(
    queue_name text, msg jsonb, headers jsonb, delay integer default 0
) returns setof bigint
language sql set search_path = ''
as $$
    select pgmq.send_batch(queue_name, array[msg], array[headers], clock_timestamp() + make_interval(secs => delay))
$$;

create or replace function pgmq.read(
    queue_name text, vt integer, qty integer, conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql set search_path = ''
as $$
begin
    return query execute format(
        'with free as (
            select m.msg_id
            from %1$s as m
            where m.vt <= clock_timestamp() and ($3 = ''{}'' or m.message @> $3)
            order by m.msg_id
            limit $1
            for update skip locked
        ),
        taken as (
            update %1$s as m
            set vt = clock_timestamp() + $2, read_ct = m.read_ct + 1
            from free
            where m.msg_id = free.msg_id
            returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
        )
        select * from taken order by msg_id',
        pgmq._table('q', read.queue_name)
    ) using read.qty, make_interval(secs => read.vt), read.conditional;
end
$$;

-- Polls until there is a message or the time has elapsed.
create or replace function pgmq.read_with_poll(
    queue_name text,
    vt integer,
    qty integer,
    max_poll_seconds integer default 5,
    poll_interval_ms integer default 100,
    conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql set search_path = ''
as $$
declare
    ends_at constant timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
    loop
        return query
        select r.* from pgmq.read(
            read_with_poll.queue_name, read_with_poll.vt, read_with_poll.qty, read_with_poll.conditional
        ) as r;
        exit when found or clock_timestamp() >= ends_at;
        perform pg_sleep(greatest(poll_interval_ms, 10) / 1000.0);
    end loop;
end
$$;

create or replace function pgmq.pop(queue_name text) returns setof pgmq.message_record
language plpgsql set search_path = ''
as $$
begin
    return query execute format(
        'with free as (
            select m.msg_id
            from %1$s as m
            where m.vt <= clock_timestamp()
            order by m.msg_id
            limit 1
            for update skip locked
        )
        delete from %1$s as m
        using free
        where m.msg_id = free.msg_id
        returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers',
        pgmq._table('q', pop.queue_name)
    );
end
$$;

create or replace function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set search_path = ''
as $$
begin
    return query execute format(
        'with gone as (
            delete from %s as m
            where m.msg_id = any($1)
            returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers
        )
        insert into %s (msg_id, read_ct, enqueued_at, vt, message, headers)
        select g.msg_id, g.read_ct, g.enqueued_at, g.vt, g.message, g.headers from gone as g
        returning msg_id',
        pgmq._table('q', archive.queue_name),
        pgmq._table('a', archive.queue_name)
    ) using archive.msg_ids;
end
$$;

create or replace function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language sql set search_path = ''
as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;

create or replace function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set search_path = ''
as $$
begin
    return query execute format(
        'delete from %s as m where m.msg_id = any($1) returning m.msg_id', pgmq._table('q', delete.queue_name)
    ) using delete.msg_ids;
end
$$;

create or replace function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language sql set search_path = ''
as $$ select exists (select from pgmq.delete(queue_name, array[msg_id])) $$;

create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql set search_path = ''
as $$
begin
    return query execute format(
        'update %s as m
        set vt = clock_timestamp() + $2
        where m.msg_id = $1
        returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers',
        pgmq._table('q', set_vt.queue_name)
    ) using set_vt.msg_id, make_interval(secs => set_vt.vt);
end
$$;
