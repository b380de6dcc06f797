-- Creates, drops and lists queues. Names are compared in lower case, as in the original.
grant usage on schema pgmq to anon, authenticated, service_role;
revoke all on pgmq.meta from public, anon, authenticated;
grant select on pgmq.meta to service_role;

-- The table of a queue's messages (`q`) or of its archive (`a`), quoted.
create or replace function pgmq._table(prefix text, queue_name text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
    if _table.queue_name is null or _table.queue_name !~ '^[A-Za-z0-9_ -]{1,47}$' then
        raise exception 'A queue''s name has 1 to 47 letters, digits, _ or -' using errcode = '22023';
    end if;
    return format('pgmq.%I', _table.prefix || '_' || lower(_table.queue_name));
end
$$;

create or replace function pgmq.validate_queue_name(queue_name text) returns void
language sql immutable set search_path = ''
as $$ select pgmq._table('q', queue_name) $$;

create or replace function pgmq._create(queue_name text, is_unlogged boolean) returns void
language plpgsql set search_path = ''
as $$
declare
    messages constant text := pgmq._table('q', _create.queue_name);
    archive constant text := pgmq._table('a', _create.queue_name);
begin
    -- Of two concurrent calls for the same queue, the second finds it created.
    perform pg_advisory_xact_lock(hashtext('pgmq'), hashtext(lower(_create.queue_name)));
    if to_regclass(messages) is not null then
        return;
    end if;
    execute format(
        'create %s table %s (
            msg_id bigint primary key generated always as identity,
            read_ct integer not null default 0,
            enqueued_at timestamptz not null default now(),
            vt timestamptz not null,
            message jsonb,
            headers jsonb
        )',
        case when _create.is_unlogged then 'unlogged' else '' end,
        messages
    );
    execute format('create index on %s (vt)', messages);
    execute format(
        'create table %s (
            msg_id bigint primary key,
            read_ct integer not null default 0,
            enqueued_at timestamptz not null default now(),
            archived_at timestamptz not null default now(),
            vt timestamptz not null,
            message jsonb,
            headers jsonb
        )',
        archive
    );
    execute format('create index on %s (archived_at)', archive);
    -- Default privileges may grant more: a queue is accessible only to service_role until it is
    -- granted.
    execute format('revoke all on %s, %s from public, anon, authenticated', messages, archive);
    execute format('grant all on %s, %s to service_role', messages, archive);
    insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
    values (lower(_create.queue_name), false, _create.is_unlogged)
    on conflict do nothing;
end
$$;

create or replace function pgmq.create_non_partitioned(queue_name text) returns void
language sql set search_path = ''
as $$ select pgmq._create(queue_name, false) $$;

create or replace function pgmq.create_unlogged(queue_name text) returns void
language sql set search_path = ''
as $$ select pgmq._create(queue_name, true) $$;

create or replace function pgmq.create(queue_name text) returns void
language sql set search_path = ''
as $$ select pgmq._create(queue_name, false) $$;

create or replace function pgmq.create_partitioned(
    queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void
language plpgsql set search_path = ''
as $$
begin
    raise exception 'Queues in partitions are not to be had here; pgmq.create makes one without'
        using errcode = '0A000';
end
$$;

create or replace function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql set search_path = ''
as $$
begin
    execute format('drop table if exists %s', pgmq._table('q', drop_queue.queue_name));
    execute format('drop table if exists %s', pgmq._table('a', drop_queue.queue_name));
    delete from pgmq.meta as m where m.queue_name = lower(drop_queue.queue_name);
    return found;
end
$$;

-- The form that older projects call.
create or replace function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language sql set search_path = ''
as $$ select pgmq.drop_queue(queue_name) $$;

create or replace function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql set search_path = ''
as $$
declare
    gone bigint;
begin
    execute format('delete from %s', pgmq._table('q', purge_queue.queue_name));
    get diagnostics gone = row_count;
    return gone;
end
$$;

create or replace function pgmq.list_queues() returns setof pgmq.queue_record
language sql stable set search_path = ''
as $$
    select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta as m order by m.queue_name
$$;

create or replace function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql set search_path = ''
as $$
declare
    told pgmq.metrics_result;
    messages constant text := pgmq._table('q', metrics.queue_name);
begin
    execute format(
        'select
            $1,
            count(*),
            extract(epoch from clock_timestamp() - max(m.enqueued_at))::integer,
            extract(epoch from clock_timestamp() - min(m.enqueued_at))::integer,
            (
                select coalesce(s.last_value, 0)
                from pg_catalog.pg_sequences as s
                where format(''%%I.%%I'', s.schemaname, s.sequencename)::regclass
                    = pg_catalog.pg_get_serial_sequence($2, ''msg_id'')::regclass
            ),
            clock_timestamp(),
            count(*) filter (where m.vt <= clock_timestamp())
        from %s as m',
        messages
    ) into told using lower(metrics.queue_name), messages;
    return told;
end
$$;

create or replace function pgmq.metrics_all() returns setof pgmq.metrics_result
language sql set search_path = ''
as $$
    select (pgmq.metrics(m.queue_name)).* from pgmq.meta as m order by m.queue_name
$$;
