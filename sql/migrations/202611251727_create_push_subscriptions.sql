-- Browsers that asked to be told, each by the address its push service gave it: who knows it can reach that browser, so
-- nobody but its owner reads even that it is there. See push_subscriptions.sql.
create table public.push_subscriptions (
    id uuid primary key default gen_random_uuid(),
    user_id uuid references public.profiles (id) on delete cascade,
    endpoint text not null unique,
    -- The browser's public key and its secret, which messages are sealed with (RFC 8291).
    p256dh bytea not null,
    auth bytea not null,
    language text not null,
    created_at timestamptz not null default now(),
    -- When it last asked for something.
    asked_at timestamptz not null default now(),
    constraint push_subscriptions_endpoint check (endpoint ~ '^https?://' and length(endpoint) <= 1000),
    constraint push_subscriptions_keys check (length(p256dh) = 65 and length(auth) = 16),
    constraint push_subscriptions_language check (language in ('fr', 'en', 'es'))
);

alter table public.push_subscriptions enable row level security;

create index push_subscriptions_user_idx on public.push_subscriptions (user_id) where user_id is not null;
create index push_subscriptions_asked_idx on public.push_subscriptions (asked_at);

-- One message to come: that a vote for a listing is possible again.
create table public.vote_reminders (
    subscription_id uuid not null references public.push_subscriptions (id) on delete cascade,
    server_id uuid not null references public.servers (id) on delete cascade,
    -- When it is sent; while it is being sent, when it would be tried again.
    due_at timestamptz not null,
    attempts integer not null default 0,
    primary key (subscription_id, server_id)
);

alter table public.vote_reminders enable row level security;

create index vote_reminders_due_idx on public.vote_reminders (due_at);
create index vote_reminders_server_idx on public.vote_reminders (server_id);
