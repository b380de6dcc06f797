-- What `postgres` may do where it is no superuser: what it may in hosted projects, and there by the module
-- `supautils`. Given at every start, since what it is given on is made at different times.

-- Without a notice for each grant that is there already.
set local client_min_messages = warning;

do $$
declare
    one record;
begin
    if current_user <> 'supabase_admin'
        or exists (select from pg_catalog.pg_roles where rolname = 'postgres' and rolsuper)
        or not exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
        return;
    end if;

    for one in
        select r.rolname
        from pg_catalog.pg_roles as r
        where r.rolname in (
            'anon', 'authenticated', 'service_role', 'authenticator', 'supabase_storage_admin',
            'supabase_realtime_admin', 'supabase_functions_admin', 'pg_monitor', 'pg_read_all_data', 'pg_signal_backend'
        )
    loop
        execute format('grant %I to postgres with admin option', one.rolname);
    end loop;

    for one in
        select n.nspname
        from pg_catalog.pg_namespace as n
        where n.nspname in (
            'auth', 'storage', 'realtime', 'extensions', 'graphql_public', 'net', 'cron', 'pgmq',
            'pgmq_public', 'supabase_functions'
        )
    loop
        execute format('grant all on schema %I to postgres with grant option', one.nspname);
        execute format('grant all on all tables in schema %I to postgres with grant option', one.nspname);
        execute format('grant all on all sequences in schema %I to postgres with grant option', one.nspname);
        execute format('grant all on all routines in schema %I to postgres with grant option', one.nspname);
    end loop;

    for one in select w.fdwname from pg_catalog.pg_foreign_data_wrapper as w loop
        execute format('grant usage on foreign data wrapper %I to postgres with grant option', one.fdwname);
    end loop;

    if to_regclass('vault.decrypted_secrets') is not null then
        grant usage on schema vault to postgres with grant option;
        grant select, insert, update, delete on vault.secrets to postgres with grant option;
        grant select, delete on vault.decrypted_secrets to postgres with grant option;
        grant execute on function
            vault._open(uuid, text), vault.create_secret(text, text, text, uuid),
            vault.update_secret(uuid, text, text, text, uuid)
        to postgres with grant option;
    end if;

    if current_setting('server_version_num')::int >= 150000 then
        for one in
            select unnest(array[
                'session_replication_role', 'log_min_duration_statement', 'log_min_messages', 'log_statement',
                'track_io_timing',
                -- Settings of rest/v1, kept by `alter role authenticator set`.
                'pgrst.db_schemas', 'pgrst.db_anon_role', 'pgrst.db_extra_search_path', 'pgrst.db_max_rows',
                'pgrst.db_max_embed_depth', 'pgrst.db_tx_end', 'pgrst.db_pre_request',
                'pgrst.db_aggregates_enabled', 'pgrst.db_plan_enabled', 'pgrst.db_root_spec',
                'pgrst.db_hoisted_tx_settings', 'pgrst.openapi_mode', 'pgrst.openapi_security_active',
                'pgrst.openapi_server_proxy_uri', 'pgrst.server_cors_allowed_origins',
                'pgrst.server_timing_enabled', 'pgrst.server_trace_header', 'pgrst.client_error_verbosity',
                'pgrst.jwt_aud', 'pgrst.jwt_role_claim_key', 'pgrst.jwt_secret', 'pgrst.jwt_secret_is_base64'
            ]) as name
        loop
            execute format('grant set on parameter %I to postgres', one.name);
        end loop;
    end if;
end
$$;
