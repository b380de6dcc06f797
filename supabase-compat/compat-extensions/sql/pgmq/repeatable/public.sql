-- Functions for clients, if `pgmq_public` is among the schemas that a project exposes: clients can
-- use the queues that are granted to them. They cannot create or drop queues.
grant usage on schema pgmq_public to anon, authenticated, service_role;

create or replace function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0)
returns setof bigint
language sql set search_path = ''
as $$ select * from pgmq.send(queue_name, message, sleep_seconds) $$;

create or replace function pgmq_public.send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0)
returns setof bigint
language sql set search_path = ''
as $$ select * from pgmq.send_batch(queue_name, messages, sleep_seconds) $$;

create or replace function pgmq_public.read(queue_name text, sleep_seconds integer, n integer)
returns setof pgmq.message_record
language sql set search_path = ''
as $$ select * from pgmq.read(queue_name, sleep_seconds, n) $$;

create or replace function pgmq_public.pop(queue_name text)
returns setof pgmq.message_record
language sql set search_path = ''
as $$ select * from pgmq.pop(queue_name) $$;

create or replace function pgmq_public.archive(queue_name text, message_id bigint)
returns boolean
language sql set search_path = ''
as $$ select pgmq.archive(queue_name, message_id) $$;

create or replace function pgmq_public.delete(queue_name text, message_id bigint)
returns boolean
language sql set search_path = ''
as $$ select pgmq.delete(queue_name, message_id) $$;

-- Functions that create, purge and drop queues are for the role that migrates and for service_role.
do $$
declare
    one regprocedure;
begin
    for one in
        select p.oid
        from pg_catalog.pg_proc as p
        where p.pronamespace in ('pgmq'::regnamespace, 'pgmq_public'::regnamespace)
    loop
        execute format('revoke execute on function %s from public', one);
        execute format('grant execute on function %s to service_role', one);
    end loop;
    for one in
        select p.oid
        from pg_catalog.pg_proc as p
        where
            p.pronamespace = 'pgmq_public'::regnamespace
            or p.pronamespace = 'pgmq'::regnamespace
            and p.proname in (
                '_table', 'send', 'send_batch', 'read', 'read_with_poll', 'pop', 'archive', 'delete', 'set_vt'
            )
    loop
        execute format('grant execute on function %s to anon, authenticated', one);
    end loop;
end
$$;
