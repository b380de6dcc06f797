-- What `pgmq` keeps, under its names: a table of messages and one of archived ones for each queue.
create table pgmq.meta (
    queue_name varchar not null unique,
    is_partitioned boolean not null,
    is_unlogged boolean not null,
    created_at timestamptz not null default now()
);
alter table pgmq.meta enable row level security;

create type pgmq.message_record as (
    msg_id bigint,
    read_ct integer,
    enqueued_at timestamptz,
    vt timestamptz,
    message jsonb,
    headers jsonb
);
create type pgmq.queue_record as (
    queue_name varchar,
    is_partitioned boolean,
    is_unlogged boolean,
    created_at timestamptz
);
create type pgmq.metrics_result as (
    queue_name text,
    queue_length bigint,
    newest_msg_age_sec integer,
    oldest_msg_age_sec integer,
    total_messages bigint,
    scrape_time timestamptz,
    queue_visible_length bigint
);

-- The same for clients, where a project shows this schema to them.
create schema pgmq_public;
