-- The server's version and its number of connections.
select
    pg_catalog.version() as version,
    pg_catalog.current_setting('server_version_num')::int8 as version_number,
    (select count(*) from pg_catalog.pg_stat_activity) as active_connections,
    pg_catalog.current_setting('max_connections')::int8 as max_connections
