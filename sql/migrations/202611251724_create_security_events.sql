-- What went wrong. What pages report and what the database itself writes down stand in one log; only the second is an
-- audit trail.
create table public.security_events (
    id bigint generated always as identity primary key,
    origin text not null default 'page',
    event_type text not null,
    event_data jsonb not null default '{}',
    user_id uuid references public.profiles (id) on delete set null,
    user_agent text,
    created_at timestamptz not null default now(),
    constraint security_events_origin check (origin in ('page', 'database')),
    constraint security_events_type_shape check (event_type ~ '^[a-z][a-z0-9_]{1,63}$'),
    constraint security_events_data_size check (pg_column_size(event_data) <= 8192),
    constraint security_events_user_agent_length check (char_length(user_agent) <= 500)
);

alter table public.security_events enable row level security;

create index security_events_newest_idx on public.security_events (created_at desc);
create index security_events_user_idx on public.security_events (user_id, created_at desc);

-- In the orders the administrators' table asks for.
create index security_events_table_idx on public.security_events (created_at desc nulls last, id);

-- Events of one type, the newest first.
create index security_events_type_idx on public.security_events (event_type, created_at desc nulls last, id);
