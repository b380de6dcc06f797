-- The names of the extension `http` (pgsql-http), each of which raises. What is there already stays.
do $http$
declare
    wanted text;
    calls constant text[] := array[
        'http(request {schema}.http_request)',
        'http_get(uri varchar)',
        'http_get(uri varchar, data jsonb)',
        'http_post(uri varchar, content varchar, content_type varchar)',
        'http_post(uri varchar, data jsonb)',
        'http_put(uri varchar, content varchar, content_type varchar)',
        'http_patch(uri varchar, content varchar, content_type varchar)',
        'http_delete(uri varchar)',
        'http_delete(uri varchar, content varchar, content_type varchar)',
        'http_head(uri varchar)'
    ];
begin
    if to_regtype('{schema}.http_request') is not null then
        return;
    end if;

    create domain {schema}.http_method as text;
    create domain {schema}.content_type as text check (value ~ '^\S+\/\S+');
    create type {schema}.http_header as (field varchar, value varchar);
    create type {schema}.http_response as (
        status integer, content_type varchar, headers {schema}.http_header[], content varchar
    );
    create type {schema}.http_request as (
        method {schema}.http_method, uri varchar, headers {schema}.http_header[], content_type varchar,
        content varchar
    );

    create function {schema}.http_header(field varchar, value varchar) returns {schema}.http_header
    language sql immutable set search_path = ''
    as 'select $1, $2';

    foreach wanted in array calls loop
        execute format(
            'create function {schema}.%s returns {schema}.http_response '
            'language plpgsql set search_path = '''' as %L',
            wanted,
            $body$
begin
    raise exception 'there is no extension "http" here: SQL cannot wait for an answer'
        using
            errcode = '0A000',
            hint = 'pg_net calls (net.http_get, net.http_post) and keeps answers in net._http_response.';
end
$body$
        );
    end loop;

    -- Settings of the calls, of which there are none.
    create function {schema}.http_set_curlopt(curlopt varchar, value varchar) returns boolean
    language sql set search_path = ''
    as 'select true';
    create function {schema}.http_reset_curlopt() returns boolean
    language sql set search_path = ''
    as 'select true';
end
$http$
