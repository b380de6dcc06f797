//! The statements behind each report, and the headings that the official CLI gives their columns.

/// A report with one statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Report {
    /// The headings of the columns.
    pub headings: &'static [&'static str],
    /// The statement that returns these columns.
    pub statement: &'static str,
    /// Whether it reads `pg_stat_statements`.
    pub needs_statements: bool,
}

const fn report(headings: &'static [&'static str], statement: &'static str) -> Report {
    Report { headings, statement, needs_statements: false }
}

/// A condition that excludes the schemas of the server and of the services.
macro_rules! is_of_project {
    ($schema:literal) => {
        concat!(
            $schema,
            " !~ '^(pg_|information_schema$|_)' and ",
            $schema,
            " not in ('auth', 'cron', 'extensions', 'graphql', 'graphql_public', 'net', 'pgbouncer', \
              'pgmq', 'pgmq_public', 'pgsodium', 'pgsodium_masks', 'realtime', 'storage', \
              'supabase_functions', 'supabase_migrations', 'vault')"
        )
    };
}

pub(super) const DB_STATS: Report = report(
    &[
        "Name",
        "Database Size",
        "Total Index Size",
        "Total Table Size",
        "Total Toast Size",
        "Time Since Stats Reset",
        "Index Hit Rate",
        "Table Hit Rate",
        "WAL Size",
    ],
    concat!(
        "with sizes as (
           select
             sum(pg_indexes_size(c.oid)) as indexes,
             sum(pg_relation_size(c.oid)) as tables,
             sum(pg_total_relation_size(c.reltoastrelid)) filter (where c.reltoastrelid <> 0) as toast
           from pg_catalog.pg_class c
           join pg_catalog.pg_namespace n on n.oid = c.relnamespace
           where c.relkind in ('r', 'm') and ",
        is_of_project!("n.nspname"),
        ")
         select
           current_database(),
           pg_size_pretty(pg_database_size(current_database())),
           pg_size_pretty(coalesce(sizes.indexes, 0)),
           pg_size_pretty(coalesce(sizes.tables, 0)),
           pg_size_pretty(coalesce(sizes.toast, 0)),
           coalesce(date_trunc('second', now() - d.stats_reset)::text, 'N/A'),
           (select coalesce(round(sum(idx_blks_hit) / nullif(sum(idx_blks_hit + idx_blks_read), 0), 2)::text, 'N/A')
            from pg_catalog.pg_statio_user_indexes),
           (select coalesce(round(sum(heap_blks_hit) / nullif(sum(heap_blks_hit + heap_blks_read), 0), 2)::text, 'N/A')
            from pg_catalog.pg_statio_user_tables),
           (select pg_size_pretty(coalesce(sum(size), 0)) from pg_catalog.pg_ls_waldir())
         from sizes, pg_catalog.pg_stat_database d
         where d.datname = current_database()"
    ),
);

pub(super) const TABLE_STATS: Report = report(
    &["Name", "Table size", "Index size", "Total size", "Estimated row count", "Seq scans"],
    concat!(
        "select
           format('%I.%I', n.nspname, c.relname),
           pg_size_pretty(pg_table_size(c.oid)),
           pg_size_pretty(pg_indexes_size(c.oid)),
           pg_size_pretty(pg_total_relation_size(c.oid)),
           greatest(c.reltuples, 0)::bigint,
           coalesce(s.seq_scan, 0)
         from pg_catalog.pg_class c
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         left join pg_catalog.pg_stat_all_tables s on s.relid = c.oid
         where c.relkind in ('r', 'm') and ",
        is_of_project!("n.nspname"),
        " order by pg_total_relation_size(c.oid) desc, 1"
    ),
);

pub(super) const INDEX_STATS: Report = report(
    &["Name", "Table", "Columns", "Size", "Percent used", "Index scans", "Seq scans", "Unused"],
    concat!(
        "select
           format('%I.%I', s.schemaname, s.indexrelname),
           format('%I.%I', s.schemaname, s.relname),
           (select string_agg(pg_get_indexdef(i.indexrelid, k::integer, true), ', ' order by k)
            from generate_series(1, i.indnkeyatts) k),
           pg_size_pretty(pg_relation_size(s.indexrelid)),
           case
             when s.idx_scan + t.seq_scan > 0
             then round(100.0 * s.idx_scan / (s.idx_scan + t.seq_scan)) || '%'
             else 'N/A'
           end,
           s.idx_scan,
           t.seq_scan,
           s.idx_scan = 0 and not i.indisunique
         from pg_catalog.pg_stat_user_indexes s
         join pg_catalog.pg_index i on i.indexrelid = s.indexrelid
         join pg_catalog.pg_stat_user_tables t on t.relid = s.relid
         where ",
        is_of_project!("s.schemaname"),
        " order by pg_relation_size(s.indexrelid) desc, 1"
    ),
);

pub(super) const CACHE_HIT: Report = report(
    &["Name", "Ratio"],
    "select 'index hit rate', coalesce(round(sum(idx_blks_hit) / nullif(sum(idx_blks_hit + idx_blks_read), 0), 4)::text, 'N/A')
     from pg_catalog.pg_statio_user_indexes
     union all
     select 'table hit rate', coalesce(round(sum(heap_blks_hit) / nullif(sum(heap_blks_hit + heap_blks_read), 0), 4)::text, 'N/A')
     from pg_catalog.pg_statio_user_tables",
);

pub(super) const LONG_RUNNING_QUERIES: Report = report(
    &["pid", "Duration", "Query"],
    "select pid, date_trunc('second', now() - query_start), query
     from pg_catalog.pg_stat_activity
     where state <> 'idle'
       and backend_type = 'client backend'
       and pid <> pg_backend_pid()
       and now() - query_start > interval '5 minutes'
     order by query_start",
);

/// The columns of both reports on statements: time, its share of all time, calls, block time, text.
/// The columns of block statistics have other names in other versions, so they are read by name
/// from the row as JSON.
macro_rules! statements_by {
    ($order:literal) => {
        concat!(
            "select
               s.query,
               date_trunc('milliseconds', s.total_exec_time * interval '1 millisecond'),
               round((100 * s.total_exec_time / nullif(sum(s.total_exec_time) over (), 0))::numeric, 1) || '%',
               s.calls,
               date_trunc('milliseconds', interval '1 millisecond' * coalesce(
                 (to_jsonb(s) ->> 'shared_blk_read_time')::float8 + (to_jsonb(s) ->> 'shared_blk_write_time')::float8,
                 (to_jsonb(s) ->> 'blk_read_time')::float8 + (to_jsonb(s) ->> 'blk_write_time')::float8, 0))
             from pg_stat_statements s
             order by ",
            $order,
            " desc limit 10"
        )
    };
}

pub(super) const OUTLIERS: Report = Report {
    headings: &[
        "Query",
        "Execution Time",
        "Proportion of exec time",
        "Number Calls",
        "Sync IO time",
    ],
    statement: statements_by!("s.total_exec_time"),
    needs_statements: true,
};

pub(super) const CALLS: Report = Report {
    headings: &[
        "Query",
        "Total Execution Time",
        "Proportion of total exec time",
        "Number Calls",
        "Sync IO time",
    ],
    statement: statements_by!("s.calls"),
    needs_statements: true,
};

pub(super) const LOCKS: Report = report(
    &["pid", "relname", "transaction id", "granted", "stmt", "age"],
    "select a.pid, coalesce(c.relname, 'null'), coalesce(l.transactionid::text, 'null'), l.granted, a.query,
            date_trunc('second', now() - a.query_start)
     from pg_catalog.pg_stat_activity a
     join pg_catalog.pg_locks l on l.pid = a.pid
     left join pg_catalog.pg_class c on c.oid = l.relation
     where l.mode = 'ExclusiveLock' and l.locktype <> 'virtualxid' and a.pid <> pg_backend_pid()
     order by a.query_start",
);

pub(super) const BLOCKING: Report = report(
    &[
        "blocked pid",
        "blocking statement",
        "blocking duration",
        "blocking pid",
        "blocked statement",
        "blocked duration",
    ],
    "select
       blocked.pid,
       blocking.query,
       date_trunc('second', now() - blocking.query_start),
       blocking.pid,
       blocked.query,
       date_trunc('second', now() - blocked.query_start)
     from pg_catalog.pg_stat_activity blocked
     cross join lateral unnest(pg_blocking_pids(blocked.pid)) other (pid)
     join pg_catalog.pg_stat_activity blocking on blocking.pid = other.pid
     order by blocked.query_start",
);

/// Compares the pages that the rows need, by the widths in `pg_stats`, with those that they take.
/// The estimate may be wrong by some tenths, even after the tables were analysed.
pub(super) const BLOAT: Report = report(
    &["Type", "Name", "Bloat", "Waste"],
    concat!(
        "with tables as (
           select
             c.oid, n.nspname, c.relname, c.relpages, c.reltuples,
             24 + 4 + coalesce((
               select sum((1 - s.null_frac) * s.avg_width)
               from pg_catalog.pg_stats s
               where s.schemaname = n.nspname and s.tablename = c.relname), 0) as row_width
           from pg_catalog.pg_class c
           join pg_catalog.pg_namespace n on n.oid = c.relnamespace
           where c.relkind in ('r', 'm') and c.relpages > 0 and c.reltuples >= 0 and ",
        is_of_project!("n.nspname"),
        "), estimates as (
           select
             'table' as kind, format('%I.%I', nspname, relname) as name, relpages as pages,
             ceil(reltuples * row_width / (current_setting('block_size')::float8 - 24)) as needed
           from tables
           union all
           select
             'index', format('%I.%I::%I', t.nspname, t.relname, i.relname), i.relpages,
             ceil(i.reltuples * (16 + coalesce((
               select sum((1 - s.null_frac) * s.avg_width)
               from pg_catalog.pg_attribute a
               join pg_catalog.pg_stats s on s.attname = a.attname
                 and s.schemaname = t.nspname and s.tablename = t.relname
               where a.attrelid = i.oid), 8)) / (current_setting('block_size')::float8 * 0.9)) + 1
           from tables t
           join pg_catalog.pg_index x on x.indrelid = t.oid
           join pg_catalog.pg_class i on i.oid = x.indexrelid
           where i.relpages > 0 and i.reltuples >= 0)
         select
           kind, name,
           round((pages / greatest(needed, 1))::numeric, 1),
           pg_size_pretty(greatest(pages - needed, 0)::bigint * current_setting('block_size')::bigint)
         from estimates
         order by pages - needed desc, 2"
    ),
);

pub(super) const VACUUM_STATS: Report = report(
    &[
        "Table",
        "Last Vacuum",
        "Last Auto Vacuum",
        "Last Analyze",
        "Last Auto Analyze",
        "Row count",
        "Dead row count",
        "Expect autovacuum?",
        "Expect autoanalyze?",
    ],
    concat!(
        "with options as (
           select
             c.oid,
             coalesce(max(o.value) filter (where o.name = 'autovacuum_vacuum_threshold'),
               current_setting('autovacuum_vacuum_threshold'))::float8 as vacuum_base,
             coalesce(max(o.value) filter (where o.name = 'autovacuum_vacuum_scale_factor'),
               current_setting('autovacuum_vacuum_scale_factor'))::float8 as vacuum_share,
             coalesce(max(o.value) filter (where o.name = 'autovacuum_analyze_threshold'),
               current_setting('autovacuum_analyze_threshold'))::float8 as analyze_base,
             coalesce(max(o.value) filter (where o.name = 'autovacuum_analyze_scale_factor'),
               current_setting('autovacuum_analyze_scale_factor'))::float8 as analyze_share
           from pg_catalog.pg_class c
           left join lateral (
             select split_part(one, '=', 1) as name, split_part(one, '=', 2) as value
             from unnest(c.reloptions) one) o on true
           group by c.oid)
         select
           format('%I.%I', s.schemaname, s.relname),
           coalesce(to_char(s.last_vacuum, 'YYYY-MM-DD HH24:MI'), ''),
           coalesce(to_char(s.last_autovacuum, 'YYYY-MM-DD HH24:MI'), ''),
           coalesce(to_char(s.last_analyze, 'YYYY-MM-DD HH24:MI'), ''),
           coalesce(to_char(s.last_autoanalyze, 'YYYY-MM-DD HH24:MI'), ''),
           case when c.reltuples < 0 then 'No stats' else c.reltuples::bigint::text end,
           s.n_dead_tup,
           case when o.vacuum_base + o.vacuum_share * greatest(c.reltuples, 0) < s.n_dead_tup then 'yes' else 'no' end,
           case when o.analyze_base + o.analyze_share * greatest(c.reltuples, 0) < s.n_mod_since_analyze then 'yes' else 'no' end
         from pg_catalog.pg_stat_user_tables s
         join pg_catalog.pg_class c on c.oid = s.relid
         join options o on o.oid = c.oid
         where ",
        is_of_project!("s.schemaname"),
        " order by 1"
    ),
);

pub(super) const ROLE_STATS: Report = report(
    &["Role name", "Active connections", "Connection limit", "Custom config"],
    "select
       r.rolname,
       (select count(*) from pg_catalog.pg_stat_activity a where a.usename = r.rolname),
       case when r.rolconnlimit < 0 then current_setting('max_connections')::integer else r.rolconnlimit end,
       coalesce(array_to_string(r.rolconfig, ', '), '')
     from pg_catalog.pg_roles r
     where r.rolname !~ '^pg_'
     order by 2 desc, 1",
);

pub(super) const REPLICATION_SLOTS: Report = report(
    &["Name", "Active", "State", "Replication Client Address", "Replication Lag GB"],
    "select
       s.slot_name, s.active, coalesce(r.state, 'N/A'),
       case when r.client_addr is null then 'N/A' else r.client_addr::text end,
       round(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(s.confirmed_flush_lsn, s.restart_lsn)) / 1e9, 2)
     from pg_catalog.pg_replication_slots s
     left join pg_catalog.pg_stat_replication r on r.pid = s.active_pid
     order by 1",
);

/// Written rows are converted to blocks by the table's rows per block.
pub(super) const TRAFFIC_PROFILE: Report = report(
    &["Schema", "Table", "Blocks Read", "Write Tuples", "Blocks Write", "Activity Ratio"],
    "with traffic as (
       select
         s.schemaname, s.relname,
         io.heap_blks_read as blocks_read,
         s.n_tup_ins + s.n_tup_upd + s.n_tup_del as write_tuples,
         (s.n_tup_ins + s.n_tup_upd + s.n_tup_del)
           * c.relpages / greatest(c.reltuples, 1) as blocks_write
       from pg_catalog.pg_stat_user_tables s
       join pg_catalog.pg_statio_user_tables io on io.relid = s.relid
       join pg_catalog.pg_class c on c.oid = s.relid)
     select
       schemaname, relname, blocks_read, write_tuples, round(blocks_write::numeric, 1),
       case
         when blocks_read = 0 and blocks_write = 0 then 'Idle'
         when blocks_read = 0 then 'Write-Only'
         when blocks_write = 0 then 'Read-Only'
         when blocks_read >= blocks_write
         then format('%s:1 (Read-Heavy)', round((blocks_read / blocks_write)::numeric, 1))
         else format('1:%s (Write-Heavy)', round((blocks_write / blocks_read)::numeric, 1))
       end
     from traffic
     where blocks_read > 0 or write_tuples > 0
     order by blocks_read + blocks_write desc, 1, 2",
);

pub(super) const XID_AGE: Report = report(
    &["Table", "XID Age", "Limit", "Percent"],
    concat!(
        "select
           format('%I.%I', n.nspname, c.relname), age(c.relfrozenxid),
           current_setting('autovacuum_freeze_max_age'),
           round(100.0 * age(c.relfrozenxid) / current_setting('autovacuum_freeze_max_age')::numeric, 1) || '%'
         from pg_catalog.pg_class c
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'm') and ",
        is_of_project!("n.nspname"),
        " order by age(c.relfrozenxid) desc, 1"
    ),
);

pub(super) const TOAST_SIZES: Report = report(
    &["Table", "TOAST Table", "TOAST Size", "Dead Chunks"],
    concat!(
        "select
           format('%I.%I', n.nspname, c.relname), t.relname,
           pg_size_pretty(pg_total_relation_size(t.oid)), coalesce(s.n_dead_tup, 0)
         from pg_catalog.pg_class c
         join pg_catalog.pg_namespace n on n.oid = c.relnamespace
         join pg_catalog.pg_class t on t.oid = c.reltoastrelid
         left join pg_catalog.pg_stat_all_tables s on s.relid = t.oid
         where ",
        is_of_project!("n.nspname"),
        " order by pg_total_relation_size(t.oid) desc, 1"
    ),
);

#[cfg(test)]
mod tests {
    use compat_testkit::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn each_report_answers_a_value_for_each_heading() {
        let db = TestDatabase::empty().await;
        let owner = db.pools().owner.clone();
        compat_pg::run_script(&owner, "create table public.\"it's\" (id int primary key); insert into public.\"it's\" values (1); analyze")
            .await
            .expect("a table");
        for report in [
            DB_STATS,
            TABLE_STATS,
            INDEX_STATS,
            CACHE_HIT,
            LONG_RUNNING_QUERIES,
            LOCKS,
            BLOCKING,
            BLOAT,
            VACUUM_STATS,
            ROLE_STATS,
            REPLICATION_SLOTS,
            TRAFFIC_PROFILE,
            XID_AGE,
            TOAST_SIZES,
        ] {
            let table = owner.read_text(report.statement).await;
            let table = table.unwrap_or_else(|error| panic!("{:?}: {error}", report.headings));
            for row in &table.rows {
                assert_eq!(row.len(), report.headings.len(), "{:?}", report.headings);
            }
        }
    }
}
