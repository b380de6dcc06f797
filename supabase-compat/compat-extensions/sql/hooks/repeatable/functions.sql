-- Webhooks of a table: a trigger function that sends a request through `pg_net` when a row is
-- written. Its arguments: URL, method, headers, parameters, timeout in milliseconds.
grant usage on schema supabase_functions to anon, authenticated, service_role;

create or replace function supabase_functions.http_request() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_url text := nullif(tg_argv[0], 'null');
    v_method text := upper(nullif(tg_argv[1], 'null'));
    v_headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}');
    v_params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}');
    v_timeout integer := coalesce(nullif(tg_argv[4], 'null'), '1000');
    v_request bigint;
begin
    if v_url is null then
        raise exception 'url argument is missing' using errcode = '22023';
    elsif v_method = 'GET' then
        v_request := net.http_get(v_url, v_params, v_headers, v_timeout);
    elsif v_method = 'POST' then
        v_request := net.http_post(
            v_url,
            jsonb_build_object(
                'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema,
                'record', case when tg_op <> 'DELETE' then to_jsonb(new) end,
                'old_record', case when tg_op <> 'INSERT' then to_jsonb(old) end
            ),
            v_params, v_headers, v_timeout
        );
    else
        raise exception 'method argument % is invalid', coalesce(v_method, 'null') using errcode = '22023';
    end if;
    insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
    values (tg_relid::bigint, tg_name, v_request);
    return coalesce(new, old);
end
$$;
