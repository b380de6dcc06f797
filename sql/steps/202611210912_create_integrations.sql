-- Where a vote is announced: an address of the owner's, signed with a secret, and the vote listener of the game server.
create table public.webhooks (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    url text not null,
    secret text not null,
    events text[] not null default '{vote.created}',
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint webhooks_server_key unique (server_id),
    constraint webhooks_url check (url ~* '^https?://[^/]' and char_length(url) <= 2048),
    constraint webhooks_secret_length check (char_length(secret) between 8 and 200),
    constraint webhooks_events check (events <@ '{vote.created}'::text[])
);

alter table public.webhooks enable row level security;

create table public.votifier_configs (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    host text not null,
    port integer not null default 8192,
    protocol text not null default 'v2',
    token text,
    public_key text,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint votifier_configs_server_key unique (server_id),
    constraint votifier_configs_host check (char_length(btrim(host)) between 1 and 255),
    constraint votifier_configs_port check (port between 1 and 65535),
    constraint votifier_configs_protocol check (protocol in ('auto', 'v1', 'v2')),
    constraint votifier_configs_key_lengths check (char_length(token) <= 500 and char_length(public_key) <= 4000),
    -- A v1 listener decrypts with its RSA key, a v2 listener checks a signature made with its token.
    constraint votifier_configs_credentials check (
        (protocol <> 'v1' or char_length(btrim(coalesce(public_key, ''))) > 0)
        and (protocol <> 'v2' or char_length(btrim(coalesce(token, ''))) > 0)
        and char_length(btrim(coalesce(token, '') || coalesce(public_key, ''))) > 0
    )
);

alter table public.votifier_configs enable row level security;

-- The outbox: written in the transaction of the vote, emptied by the delivery job.
create table public.deliveries (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    vote_id uuid references public.votes (id) on delete set null,
    channel text not null,
    event text not null default 'vote.created',
    payload jsonb not null,
    status text not null default 'pending',
    attempts integer not null default 0,
    next_attempt_at timestamptz not null default now(),
    last_error text,
    created_at timestamptz not null default now(),
    delivered_at timestamptz,
    constraint deliveries_once_key unique (vote_id, channel),
    constraint deliveries_channel check (channel in ('webhook', 'votifier')),
    constraint deliveries_status check (status in ('pending', 'delivered', 'failed')),
    constraint deliveries_attempts check (attempts >= 0)
);

alter table public.deliveries enable row level security;

create index deliveries_due_idx on public.deliveries (next_attempt_at) where status = 'pending';
create index deliveries_of_server_idx on public.deliveries (server_id, created_at desc);
