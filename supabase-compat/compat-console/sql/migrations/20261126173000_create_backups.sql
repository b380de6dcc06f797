-- What was backed up, when and by whom. The files lie elsewhere; these rows are in no backup.
create table _console.backups (
    id uuid primary key,
    -- The file's name, without a folder.
    name text not null,
    place text not null check (place in ('folder', 's3', 'elsewhere')),
    origin text not null check (origin in ('console', 'schedule', 'command')),
    made_by text not null,
    -- The version of the program.
    version text not null,
    state text not null check (state in ('running', 'done', 'failed')),
    -- What one that runs is doing, and how many bytes of it are done.
    stage text not null default 'database',
    bytes bigint not null default 0,
    started_at timestamptz not null,
    ended_at timestamptz,
    -- Whoever makes it moves this on; after it the process counts as lost.
    lease_until timestamptz not null,
    reason text,
    -- Whether it could be brought back.
    check_state text check (check_state in ('running', 'done', 'failed')),
    check_lease_until timestamptz,
    checked_at timestamptz,
    check_reason text,
    contents jsonb
);

-- One at a time, whichever process makes it.
create unique index backups_running_idx on _console.backups (state) where state = 'running';
create unique index backups_checking_idx on _console.backups (check_state) where check_state = 'running';
create index backups_started_at_idx on _console.backups (started_at desc);

create table _console.backup_schedule (
    is_only boolean primary key default true check (is_only),
    rhythm text not null check (rhythm in ('day', 'week')),
    -- Monday is 1.
    weekday integer not null check (weekday between 1 and 7),
    minute integer not null check (minute between 0 and 1439),
    time_zone text not null,
    place text not null check (place in ('folder', 's3')),
    keep_count integer check (keep_count between 1 and 1000),
    keep_days integer check (keep_days between 1 and 3650),
    next_at timestamptz not null
);

revoke all on table _console.backups, _console.backup_schedule from public, anon, authenticated, service_role;

create trigger refuse_others before insert or update or delete or truncate on _console.backups
for each statement execute function _console.refuse_others();

create trigger refuse_others before insert or update or delete or truncate on _console.backup_schedule
for each statement execute function _console.refuse_others();
