-- When each game server is to be asked again how it is, beside its standing: what is looked up by its time is not
-- among what votes rewrite.
create table public.server_checks (
    server_id uuid primary key references public.servers (id) on delete cascade,
    due_at timestamptz not null,
    -- Somebody asks it until then.
    leased_until timestamptz,
    -- Times in a row it did not answer.
    failures smallint not null default 0,
    -- What it last told beside its figures.
    map text,
    told_name text,
    constraint server_checks_failures check (failures >= 0),
    constraint server_checks_lengths check (char_length(map) <= 100 and char_length(told_name) <= 100)
)
with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

alter table public.server_checks enable row level security;

create index server_checks_due_idx on public.server_checks (due_at);

-- A server's day, as it was found: how often it was asked and answered, for how long it is known to have been watched
-- and up, and who played. A state lasts from one check to the next, three hours at most.
create table public.server_status_days (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    -- How it was last measured: a word of games.status_protocol, or 'bedrock'.
    method text not null,
    checks integer not null default 0,
    answered integer not null default 0,
    watched_seconds integer not null default 0,
    up_seconds integer not null default 0,
    -- Of the checks that told how many play: how many those were, and their sum.
    told integer not null default 0,
    players_sum bigint not null default 0,
    peak_players integer,
    -- The most of each hour of the site's clock; null where nobody told.
    hours integer[] not null,
    primary key (server_id, day),
    constraint server_status_days_method check (method in ('source', 'minecraft', 'bedrock', 'fivem', 'tcp')),
    constraint server_status_days_hours check (cardinality(hours) = 24),
    constraint server_status_days_figures check (
        answered between 0 and checks and up_seconds between 0 and watched_seconds and told between 0 and answered
        and players_sum >= 0 and peak_players >= 0
    )
)
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

alter table public.server_status_days enable row level security;

create index server_status_days_day_idx on public.server_status_days (day);
