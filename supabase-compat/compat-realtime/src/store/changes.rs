//! Queries to the catalogue about published tables, and comparisons of values that only the
//! database can make.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use compat_pg::{ActingDb, DatabaseError, Identity, OwnerDb, PgError, Row, Statement};
use sqlx_macros::FromRow;

use super::array_literal;

/// The publication of changes.
pub(crate) const PUBLICATION: &str = "supabase_realtime";
/// The publication of messages.
pub(crate) const MESSAGES_PUBLICATION: &str = "supabase_realtime_messages_publication";

/// A column in the catalogue.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct ColumnFacts {
    pub name: String,
    /// `pg_type.typname`.
    pub type_name: String,
    /// The type's oid.
    pub type_id: i64,
    /// The SQL name of the type without a length: `character` alone would have length 1.
    pub written: String,
    pub is_primary: bool,
}

/// A type in the catalogue.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct TypeFacts {
    pub id: i64,
    /// `pg_type.typcategory`.
    pub category: String,
    /// The oid of the type under a domain.
    pub base_id: Option<i64>,
    /// The oid of an array's element.
    pub element_id: Option<i64>,
    /// The attributes of a composite type, in their order.
    pub attributes: Option<Vec<String>>,
    /// The oids of their types.
    pub attribute_ids: Option<Vec<i64>>,
}

/// A table in the catalogue.
#[derive(Debug, Clone)]
pub(crate) struct TableFacts {
    pub has_row_security: bool,
    pub columns: Vec<ColumnFacts>,
    /// The types of the columns, and the types that these consist of, by oid.
    pub types: HashMap<i64, TypeFacts>,
}

impl TableFacts {
    /// The type under all domains.
    pub fn base_of(&self, id: i64) -> Option<&TypeFacts> {
        let mut row = self.types.get(&id)?;
        while let Some(base) = row.base_id {
            row = self.types.get(&base)?;
        }
        Some(row)
    }
}

/// What a role may do with a table.
#[derive(Debug, Clone, FromRow)]
pub(crate) struct RoleFacts {
    /// Whether the role bypasses row security.
    pub bypasses: bool,
    /// Whether all callers of the role see the same rows: no policy depends on the caller.
    pub is_uniform: bool,
    /// Names of the columns that the role may read.
    pub columns: Vec<String>,
}

/// The facts of a table by its oid; `None` if the table is gone.
pub(crate) async fn table(db: &OwnerDb, id: u32) -> Result<Option<TableFacts>, PgError> {
    let mut owner = db.begin().await?;
    let secured: Option<bool> = sqlx::query_scalar(
        "select relrowsecurity
        from pg_catalog.pg_class
        where oid = $1::int8::oid",
    )
    .bind(i64::from(id))
    .fetch_optional(&mut *owner)
    .await?;
    let columns = sqlx::query_as(
        "select
            a.attname::text as name,
            t.typname::text as type_name,
            t.oid::int8 as type_id,
            pg_catalog.format_type(t.oid, -1) as written,
            exists (
                select
                from pg_catalog.pg_index as i
                where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)
            ) as is_primary
        from pg_catalog.pg_attribute as a
        join pg_catalog.pg_type as t on t.oid = a.atttypid
        where a.attrelid = $1::int8::oid and a.attnum > 0 and not a.attisdropped
        order by a.attnum",
    );
    let columns = columns.bind(i64::from(id)).fetch_all(&mut *owner).await?;
    let types = sqlx::query_as(
        "with recursive reached as (
            select a.atttypid as id
            from pg_catalog.pg_attribute as a
            where a.attrelid = $1::int8::oid and a.attnum > 0 and not a.attisdropped
            union
            select part.id
            from reached
            join pg_catalog.pg_type as t on t.oid = reached.id
            cross join lateral (
                select t.typbasetype as id
                where t.typtype = 'd'
                union all
                select t.typelem
                where t.typcategory = 'A'
                union all
                select a.atttypid
                from pg_catalog.pg_attribute as a
                where
                    t.typtype = 'c'
                    and a.attrelid = t.typrelid
                    and a.attnum > 0
                    and not a.attisdropped
            ) as part
            where part.id <> 0
        )
        select
            t.oid::int8 as id,
            t.typcategory::text as category,
            case when t.typtype = 'd' then t.typbasetype::int8 end as base_id,
            case when t.typcategory = 'A' and t.typelem <> 0 then t.typelem::int8 end as element_id,
            parts.names as attributes,
            parts.ids as attribute_ids
        from reached
        join pg_catalog.pg_type as t on t.oid = reached.id
        left join lateral (
            select
                coalesce(array_agg(a.attname::text order by a.attnum), '{}') as names,
                coalesce(array_agg(a.atttypid::int8 order by a.attnum), '{}') as ids
            from pg_catalog.pg_attribute as a
            where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
        ) as parts on t.typtype = 'c'",
    );
    let types: Vec<TypeFacts> = types.bind(i64::from(id)).fetch_all(&mut *owner).await?;
    owner.rollback().await?;
    let types = types.into_iter().map(|one| (one.id, one)).collect();
    Ok(secured.map(|has_row_security| TableFacts { has_row_security, columns, types }))
}

/// What a role may do with a table; `None` if either does not exist, or if rest/v1 may not act as
/// the role.
///
/// A policy can depend on the caller through a function, a setting or another table. If all
/// policies consist of columns, constants and immutable functions of PostgreSQL's own, all callers
/// of the role get the same answer. A project's own functions are often marked immutable without
/// being so.
pub(crate) async fn role(
    db: &OwnerDb,
    table: u32,
    role: &str,
) -> Result<Option<RoleFacts>, PgError> {
    let query = sqlx::query_as(
        r"select
            r.rolsuper
            or r.rolbypassrls
            or (not c.relforcerowsecurity and pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE')) as bypasses,
            not exists (
                select
                from pg_catalog.pg_policy as p
                cross join lateral regexp_matches(
                    p.polqual::text, '\{([A-Z]+)|:(?:funcid|opno) (\d+)', 'g'
                ) as part
                where
                    p.polrelid = c.oid
                    and p.polcmd in ('r', '*')
                    and (
                        0::oid = any(p.polroles)
                        or exists (
                            select
                            from unnest(p.polroles) as member
                            where member <> 0 and pg_catalog.pg_has_role(r.oid, member, 'USAGE')
                        )
                    )
                    and (
                        part[1] not in (
                            'BOOLEXPR', 'OPEXPR', 'FUNCEXPR', 'VAR', 'CONST', 'NULLTEST', 'BOOLEANTEST',
                            'RELABELTYPE', 'SCALARARRAYOPEXPR', 'DISTINCTEXPR'
                        )
                        or exists (
                            select
                            from pg_catalog.pg_proc as f
                            where
                                (
                                    f.provolatile <> 'i'
                                    or f.pronamespace <> 'pg_catalog'::pg_catalog.regnamespace
                                )
                                and (
                                    f.oid = part[2]::oid
                                    or f.oid = (
                                        select o.oprcode
                                        from pg_catalog.pg_operator as o
                                        where o.oid = part[2]::oid
                                    )
                                )
                        )
                    )
            ) as is_uniform,
            array(
                select a.attname::text
                from pg_catalog.pg_attribute as a
                where
                    a.attrelid = c.oid
                    and a.attnum > 0
                    and not a.attisdropped
                    and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'USAGE')
                    and pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')
            ) as columns
        from pg_catalog.pg_class as c
        join pg_catalog.pg_roles as r on r.rolname = $2
        where
            c.oid = $1::int8::oid
            and pg_catalog.pg_has_role('authenticator', r.oid, 'MEMBER')",
    );
    let mut connection = db.connection().await?;
    Ok(query.bind(i64::from(table)).bind(role).fetch_optional(&mut *connection).await?)
}

/// The oids of published tables with these names; `None` matches every name.
pub(crate) async fn published(
    db: &OwnerDb,
    schema: Option<&str>,
    table: Option<&str>,
) -> Result<Vec<u32>, PgError> {
    let query = sqlx::query_scalar(
        "select c.oid::int8
        from pg_catalog.pg_publication_tables as p
        join pg_catalog.pg_namespace as n on n.nspname = p.schemaname
        join pg_catalog.pg_class as c on c.relnamespace = n.oid and c.relname = p.tablename
        where
            p.pubname = $1
            and ($2::text is null or p.schemaname = $2)
            and ($3::text is null or p.tablename = $3)
        order by c.oid",
    );
    let mut connection = db.connection().await?;
    let ids: Vec<i64> =
        query.bind(PUBLICATION).bind(schema).bind(table).fetch_all(&mut *connection).await?;
    Ok(ids.into_iter().filter_map(|id| u32::try_from(id).ok()).collect())
}

/// The publications of this service that exist.
pub(crate) async fn publications(db: &OwnerDb) -> Result<Vec<String>, PgError> {
    let query = sqlx::query_scalar(
        "select pubname::text
        from pg_catalog.pg_publication
        where pubname in ($1, $2)",
    );
    let mut connection = db.connection().await?;
    Ok(query.bind(PUBLICATION).bind(MESSAGES_PUBLICATION).fetch_all(&mut *connection).await?)
}

const CANONICAL: &str = "select realtime.canonical_text(v.value, $1::int8::oid::regtype)
    from unnest($2::text[]) with ordinality as v (value, n)
    order by v.n";
const COMPARE: &str = "select realtime.check_equality_op(
        c.operator::realtime.equality_op, c.type_id::oid::regtype, c.value, c.operand
    )
    from unnest($1::text[], $2::int8[], $3::text[], $4::text[])
    with ordinality as c (operator, type_id, value, operand, n)
    order by c.n";

/// Converts values to the form in which the type prints them. Runs as a role, because a type may be
/// a project's own code.
///
/// # Errors
/// The type does not accept a value.
pub(crate) async fn canonical(
    db: &ActingDb,
    role: &str,
    type_id: i64,
    values: &[String],
) -> Result<Vec<String>, PgError> {
    let (type_id, values) = (type_id.to_string(), array_literal(values.iter().map(String::as_str)));
    let rows = rows_of(db, CANONICAL, role, &[Some(&type_id), Some(&values)]).await?;
    let text = |row: &Row| Ok(row.try_get::<Option<String>>(0)?.unwrap_or_default());
    rows.iter().map(text).collect()
}

/// A comparison that only the database can make.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Comparison {
    /// The role that compares.
    pub role: Arc<str>,
    /// A name of `realtime.equality_op`.
    pub operator: &'static str,
    pub type_id: i64,
    pub value: String,
    pub operand: String,
}

/// Makes comparisons of one role, in their order; `None` means unknown.
pub(crate) async fn compare(
    db: &ActingDb,
    role: &str,
    comparisons: &[&Comparison],
) -> Result<Vec<Option<bool>>, PgError> {
    let operators = array_literal(comparisons.iter().map(|one| one.operator));
    let types: Vec<String> = comparisons.iter().map(|one| one.type_id.to_string()).collect();
    let types = array_literal(types.iter().map(String::as_str));
    let values = array_literal(comparisons.iter().map(|one| one.value.as_str()));
    let operands = array_literal(comparisons.iter().map(|one| one.operand.as_str()));
    let params = [Some(&*operators), Some(&*types), Some(&*values), Some(&*operands)];
    rows_of(db, COMPARE, role, &params).await?.iter().map(|row| row.try_get(0)).collect()
}

/// Settings that make values parse and print as in the stream, and that bound how long a client's
/// pattern may take.
const PLAIN: [(&str, &str); 6] = [
    ("timezone", "UTC"),
    ("datestyle", "ISO"),
    ("intervalstyle", "postgres"),
    ("extra_float_digits", "1"),
    ("bytea_output", "hex"),
    ("statement_timeout", "2s"),
];

async fn rows_of(
    db: &ActingDb,
    sql: &str,
    role: &str,
    params: &[Option<&str>],
) -> Result<Vec<Row>, PgError> {
    let identity = Identity {
        role,
        claims_json: "{}",
        method: "GET",
        path: "",
        headers_json: "{}",
        cookies_json: "{}",
        search_path: "public, extensions",
        read_only: true,
        commit: false,
        client: None,
        extra: &PLAIN,
    };
    db.run(&identity, Statement { sql, params }).await
}

/// The message of a database error, for the texts of the contract; `None` for any other error.
pub(crate) fn database_message(error: &PgError) -> Option<&str> {
    error.database().map(|error: &DatabaseError| error.message.as_str())
}

/// A message that may have been committed while there was no stream.
#[derive(Debug, FromRow)]
pub(crate) struct MissedMessage {
    pub id: uuid::Uuid,
    pub topic: String,
    pub event: String,
    pub private: bool,
    /// JSON text.
    pub payload: Option<String>,
    pub binary_payload: Option<Vec<u8>>,
}

/// Whether a new snapshot sees these transactions as finished. The log has only the lower 32 bits
/// of a transaction number; the full number nearest to the snapshot's is assumed.
pub(crate) async fn are_visible(db: &OwnerDb, transactions: &[i64]) -> Result<bool, PgError> {
    let mut connection = db.connection().await?;
    let are_visible = sqlx::query_scalar(
        "with now as materialized (select pg_catalog.pg_current_snapshot() as snapshot),
        numbers as (
            select snapshot, pg_catalog.pg_snapshot_xmax(snapshot)::text::int8 as next from now
        )
        select coalesce(
            bool_and(pg_catalog.pg_visible_in_snapshot((next + distance)::text::xid8, snapshot)),
            true
        )
        from
            numbers,
            lateral (
                select
                    ((number - next) % 4294967296 + 6442450944) % 4294967296 - 2147483648 as distance
                from pg_catalog.unnest($1::int8[]) as number
            ) as wanted",
    )
    .bind(transactions)
    .fetch_one(&mut *connection)
    .await?;
    Ok(are_visible)
}

/// The database's time.
pub(crate) async fn server_time(db: &OwnerDb) -> Result<DateTime<Utc>, PgError> {
    let mut connection = db.connection().await?;
    let time = sqlx::query_scalar("select clock_timestamp()");
    Ok(time.fetch_one(&mut *connection).await?)
}

/// The newest messages since a moment, and of the last ten minutes at most, oldest first: at most
/// `limit` messages, none with a payload longer than `largest`, and `bytes` of payloads in all.
pub(crate) async fn missed(
    db: &OwnerDb,
    since: DateTime<Utc>,
    limit: i64,
    largest: i64,
    bytes: i64,
) -> Result<Vec<MissedMessage>, PgError> {
    let query = sqlx::query_as(
        "select
            id,
            topic,
            event,
            private,
            payload,
            binary_payload
        from (
            select
                n.*,
                sum(coalesce(octet_length(n.payload), octet_length(n.binary_payload)))
                over (order by n.inserted_at desc, n.id) as bytes
            from (
                select
                    m.id,
                    m.topic,
                    m.event,
                    m.private,
                    m.payload::text as payload,
                    m.binary_payload,
                    m.inserted_at
                from realtime.messages as m
                where
                    m.extension = 'broadcast'
                    and not m.skip_broadcast
                    and m.event is not null
                    and m.private is not null
                    and m.inserted_at >= $1 at time zone 'utc'
                    and m.inserted_at > (now() at time zone 'utc') - interval '10 minutes'
                    and coalesce(
                        octet_length(m.payload::text), octet_length(m.binary_payload)
                    ) <= $3::int8
                order by m.inserted_at desc, m.id
                limit $2
            ) as n
        ) as sized
        where bytes <= $4::int8
        order by inserted_at desc, id",
    );
    let mut connection = db.connection().await?;
    let mut messages: Vec<MissedMessage> =
        query.bind(since).bind(limit).bind(largest).bind(bytes).fetch_all(&mut *connection).await?;
    messages.reverse();
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use compat_testkit::TestDatabase;

    use super::are_visible;

    #[tokio::test]
    async fn transaction_is_visible_once_it_has_committed() {
        let db = TestDatabase::empty().await;
        let owner = db.pools().owner.clone();
        let mut open = owner.begin().await.unwrap();
        let number = sqlx::query_scalar("select pg_catalog.pg_current_xact_id()::text::int8");
        let number: i64 = number.fetch_one(&mut *open).await.unwrap();
        // The log has only the lower half of the number.
        let number = number & 0xffff_ffff;
        assert!(!are_visible(&owner, &[number]).await.unwrap());
        open.commit().await.unwrap();
        assert!(are_visible(&owner, &[number]).await.unwrap());
        assert!(are_visible(&owner, &[]).await.unwrap());
    }
}
