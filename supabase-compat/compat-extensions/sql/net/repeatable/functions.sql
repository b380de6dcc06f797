-- HTTP requests that are sent after the transaction which queues them has committed, with the
-- interface of `pg_net`. The API roles may call these functions only inside the database: a project
-- exposes them through functions of its own.
grant usage on schema net to anon, authenticated, service_role;

-- Percent-encodes a text for a query string (RFC 3986, section 2.1).
create or replace function net._urlencode_string(string text) returns text
language sql immutable strict set search_path = ''
as $$
    select coalesce(string_agg(
        case
            when letter ~ '[A-Za-z0-9_.~-]' then letter
            else regexp_replace(upper(encode(convert_to(letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g')
        end,
        '' order by place
    ), '')
    from regexp_split_to_table(string, '') with ordinality as letters (letter, place)
$$;

create or replace function net._encode_url_with_params_array(url text, params_array text[]) returns text
language sql immutable set search_path = ''
as $$
    select url || case
        when coalesce(cardinality(params_array), 0) = 0 then ''
        else case when position('?' in url) > 0 then '&' else '?' end || array_to_string(params_array, '&')
    end
$$;

create or replace function net._ask(
    method text, url text, params jsonb, headers jsonb, body bytea, timeout_milliseconds integer
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
    v_id bigint;
    v_params text[];
begin
    if _ask.url is null or _ask.url !~* '^https?://' then
        raise exception 'A call needs an http or https address' using errcode = '22023';
    end if;
    select array_agg(net._urlencode_string(key) || '=' || net._urlencode_string(value) order by key)
    into v_params
    from jsonb_each_text(coalesce(_ask.params, '{}'));
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
    values (
        _ask.method, net._encode_url_with_params_array(_ask.url, v_params), _ask.headers, _ask.body,
        greatest(coalesce(_ask.timeout_milliseconds, 5000), 1)
    )
    returning id into v_id;
    perform pg_notify('net', '');
    return v_id;
end
$$;

create or replace function net.http_get(
    url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
) returns bigint
language sql security definer set search_path = ''
as $$ select net._ask('GET', url, params, headers, null, timeout_milliseconds) $$;

create or replace function net.http_post(
    url text,
    body jsonb default '{}',
    params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}',
    timeout_milliseconds integer default 5000
) returns bigint
language sql security definer set search_path = ''
as $$
    select net._ask('POST', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds)
$$;

create or replace function net.http_delete(
    url text,
    params jsonb default '{}',
    headers jsonb default '{}',
    timeout_milliseconds integer default 5000,
    body jsonb default null
) returns bigint
language sql security definer set search_path = ''
as $$
    select net._ask('DELETE', url, params, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds)
$$;

revoke execute on function net._ask(text, text, jsonb, jsonb, bytea, integer) from public;
revoke execute on function
    net.http_get(text, jsonb, jsonb, integer),
    net.http_post(text, jsonb, jsonb, jsonb, integer),
    net.http_delete(text, jsonb, jsonb, integer, jsonb)
from public;
grant execute on function
    net.http_get(text, jsonb, jsonb, integer),
    net.http_post(text, jsonb, jsonb, jsonb, integer),
    net.http_delete(text, jsonb, jsonb, integer, jsonb)
to anon, authenticated, service_role;
