//! Statistics of the server.

use sqlx::PgConnection;

/// Facts about the server and its database.
#[derive(sqlx_macros::FromRow)]
pub struct DatabaseFacts {
    pub version: String,
    pub size_bytes: i64,
    pub connections: i64,
    pub max_connections: i32,
}

/// Reads the facts.
pub async fn facts(conn: &mut PgConnection) -> sqlx::Result<DatabaseFacts> {
    sqlx::query_as(
        "select
            pg_catalog.current_setting('server_version') as version,
            pg_catalog.pg_database_size(pg_catalog.current_database()) as size_bytes,
            (
                select count(*)
                from pg_catalog.pg_stat_activity as a
                where a.backend_type = 'client backend'
            ) as connections,
            pg_catalog.current_setting('max_connections')::int4 as max_connections",
    )
    .fetch_one(conn)
    .await
}

/// The schema of `pg_stat_statements`, quoted. None if the extension is not installed or its
/// library is not loaded, because the server would then log an error at each query. A login that
/// may not read the setting has to try.
pub async fn statements_schema(conn: &mut PgConnection) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar(
        "select pg_catalog.quote_ident(n.nspname)
        from pg_catalog.pg_extension as e
        join pg_catalog.pg_namespace as n on n.oid = e.extnamespace
        where
            e.extname = 'pg_stat_statements'
            and coalesce(
                (
                    select s.setting ~ 'pg_stat_statements'
                    from pg_catalog.pg_settings as s
                    where s.name = 'shared_preload_libraries'
                ),
                true
            )",
    )
    .fetch_optional(conn)
    .await
}
