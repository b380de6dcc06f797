-- A queue's table, for a migration of the crate that owns the schema: this text with the table's name
-- for `{table}`. `compat_testkit::queue_table_is_right` holds the migration to it.
create table {table} (
    id bigint generated always as identity primary key,
    kind text not null,
    payload json not null,
    put_at timestamptz not null,
    -- When it may be claimed. A claim moves this to the end of its lease.
    due_at timestamptz not null,
    -- Counted by a claim, so that a job which ends its worker is given up, too. Whoever holds a
    -- job is known by this number: one that was claimed again is no longer his.
    attempts int not null default 0,
    given_up_at timestamptz,
    -- Why the last attempt failed.
    reason text
);

alter table {table} enable row level security;

create index on {table} (due_at, id) where given_up_at is null;
create index on {table} (given_up_at) where given_up_at is not null;
