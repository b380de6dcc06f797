-- The result of a request. Waiting needs the request's transaction to be committed first: a request
-- that is queued and awaited in one transaction is never sent.
create or replace function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql security definer set search_path = ''
as $$
declare
    found_one net._http_response;
    ends_at constant timestamptz := clock_timestamp() + interval '5 minutes';
begin
    loop
        select r.* into found_one
        from net._http_response as r
        where r.id = http_collect_response.request_id
        limit 1;
        if found then
            exit;
        end if;
        -- The request was never made, or its response was deleted after the retention period.
        if http_collect_response.request_id not between
            coalesce((select min(r.id) from net._http_response as r), 1)
            and coalesce(
                (
                    select s.last_value
                    from pg_catalog.pg_sequences as s
                    where s.schemaname = 'net' and s.sequencename = 'http_request_queue_id_seq'
                ),
                0
            )
        then
            return ('ERROR', 'there is no such request', null)::net.http_response_result;
        end if;
        if http_collect_response.async or clock_timestamp() >= ends_at then
            return ('PENDING', 'the request has no answer yet', null)::net.http_response_result;
        end if;
        perform pg_sleep(0.05);
    end loop;
    if found_one.timed_out or found_one.error_msg is not null then
        return (
            'ERROR', coalesce(found_one.error_msg, 'the request took too long'), null
        )::net.http_response_result;
    end if;
    return (
        'SUCCESS', 'ok',
        (found_one.status_code, found_one.headers, found_one.content)::net.http_response
    )::net.http_response_result;
end
$$;

revoke execute on function net.http_collect_response(bigint, boolean) from public;
grant execute on function net.http_collect_response(bigint, boolean) to service_role;
