-- Runs of the image optimizer, and what is known of each picture since the last that looked at it.
create table public.image_runs (
    id uuid primary key default gen_random_uuid(),
    retries_failed boolean not null,
    total integer not null default 0,
    optimized integer not null default 0,
    skipped integer not null default 0,
    failed integer not null default 0,
    bytes_before bigint not null default 0,
    bytes_after bigint not null default 0,
    is_stopped boolean not null default false,
    started_at timestamptz not null default now(),
    finished_at timestamptz
);

alter table public.image_runs enable row level security;

create unique index image_runs_one_at_a_time on public.image_runs ((true)) where finished_at is null;
create index image_runs_latest on public.image_runs (started_at desc);

create table public.image_checks (
    name text primary key,
    version text not null,
    run_id uuid not null references public.image_runs (id) on delete cascade,
    state text not null default 'waiting' check (state in ('waiting', 'optimized', 'skipped', 'failed')),
    reason text check (
        reason in (
            'light', 'animated', 'unknown_kind', 'changed', 'gone', 'broken', 'too_large', 'timed_out', 'unread',
            'unwritten', 'renderer_off', 'gave_up'
        )
    ),
    attempts integer not null default 0,
    leased_until timestamptz,
    checked_at timestamptz,
    check ((state in ('skipped', 'failed')) = (reason is not null))
);

alter table public.image_checks enable row level security;

create index image_checks_waiting on public.image_checks (name) where state = 'waiting';
create index image_checks_failed on public.image_checks (checked_at desc) where state = 'failed';
create index image_checks_run on public.image_checks (run_id);
