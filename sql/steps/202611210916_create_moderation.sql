-- Warnings given to people, addresses that may not vote (as the hash votes are kept with) and what went wrong.
create table public.user_warnings (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references public.profiles (id) on delete cascade,
    server_id uuid references public.servers (id) on delete set null,
    reason text not null,
    issued_by uuid references public.profiles (id) on delete set null,
    is_active boolean not null default true,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    constraint user_warnings_reason_length check (char_length(btrim(reason)) >= 1 and char_length(reason) <= 1000)
);

alter table public.user_warnings enable row level security;

create index user_warnings_user_idx on public.user_warnings (user_id, created_at desc);
create index user_warnings_server_idx on public.user_warnings (server_id);

create table public.ip_bans (
    id uuid primary key default gen_random_uuid(),
    ip_hash text not null,
    reason text,
    banned_by uuid references public.profiles (id) on delete set null,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    constraint ip_bans_ip_hash_key unique (ip_hash),
    constraint ip_bans_ip_hash_length check (char_length(ip_hash) between 16 and 128),
    constraint ip_bans_reason_length check (char_length(reason) <= 500)
);

alter table public.ip_bans enable row level security;

create table public.security_events (
    id bigint generated always as identity primary key,
    event_type text not null,
    event_data jsonb not null default '{}',
    user_id uuid references public.profiles (id) on delete set null,
    user_agent text,
    created_at timestamptz not null default now(),
    constraint security_events_type_shape check (event_type ~ '^[a-z][a-z0-9_]{1,63}$'),
    constraint security_events_data_size check (pg_column_size(event_data) <= 8192),
    constraint security_events_user_agent_length check (char_length(user_agent) <= 500)
);

alter table public.security_events enable row level security;

create index security_events_newest_idx on public.security_events (created_at desc);
create index security_events_user_idx on public.security_events (user_id, created_at desc);
