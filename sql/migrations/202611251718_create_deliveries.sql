-- Where a vote is announced: an address of the owner's, signed with a secret, and the vote listener of the game server.
create table public.webhooks (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    url text not null,
    -- How it is told.
    format text not null default 'json',
    secret text not null,
    -- The secret before this one, which signs beside it for a while.
    previous_secret text,
    previous_secret_until timestamptz,
    events text[] not null default '{vote.created}',
    is_active boolean not null default true,
    -- When its deliveries failed for too long it is switched off, and its owner told.
    disabled_at timestamptz,
    disabled_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint webhooks_server_key unique (server_id),
    -- Where an address leads is judged when something is sent, on the very address that is dialled: a name may lead to
    -- a private network today and not tomorrow, so a loopback or private target is stored and never called. The address
    -- of a postback has places for what is told, but not where it says whom to call.
    constraint webhooks_url check (
        public.is_web_address(
            case format
                when 'postback' then regexp_replace(url, '\{(nick|ticket|secret|vote|server|time)\}', '0', 'g')
                else url
            end
        )
        and url !~ '^https?://[^/?#]*[{]'
    ),
    constraint webhooks_format check (format in ('json', 'discord', 'postback')),
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
    disabled_at timestamptz,
    disabled_reason text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint votifier_configs_server_key unique (server_id),
    constraint votifier_configs_host check (public.is_host(host)),
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
    -- Since when it waits; a replay begins anew.
    queued_at timestamptz not null default now(),
    next_attempt_at timestamptz not null default now(),
    -- What became of the last attempt: the code of the fault, what was sent and what was answered, both cut.
    tried_at timestamptz,
    fault text,
    last_error text,
    request text,
    answer_status integer,
    answer text,
    -- Whether the receiver said that it took it; the older of two protocols has no word for it.
    is_confirmed boolean,
    created_at timestamptz not null default now(),
    delivered_at timestamptz,
    constraint deliveries_once_key unique (vote_id, channel),
    constraint deliveries_channel check (channel in ('webhook', 'votifier')),
    constraint deliveries_status check (status in ('pending', 'delivered', 'failed')),
    constraint deliveries_attempts check (attempts >= 0)
);

alter table public.deliveries enable row level security;

create index deliveries_of_server_idx on public.deliveries (server_id, created_at desc);
create index deliveries_age_idx on public.deliveries (created_at);
create index deliveries_waiting_idx on public.deliveries (server_id, channel, next_attempt_at) where status = 'pending';

-- Receivers that something waits for: one row for each, so that a slow one holds nobody else up.
create table public.delivery_lanes (
    server_id uuid not null references public.servers (id) on delete cascade,
    channel text not null,
    -- When it may be visited; null while nothing waits. A visit moves this to the end of its lease.
    due_at timestamptz,
    -- Counted by each visit: whoever visits is known by this number.
    visit bigint not null default 0,
    -- Visits in a row that failed, and since when.
    failures integer not null default 0,
    failing_since timestamptz,
    primary key (server_id, channel),
    constraint delivery_lanes_channel check (channel in ('webhook', 'votifier'))
);

alter table public.delivery_lanes enable row level security;

create index delivery_lanes_due_idx on public.delivery_lanes (due_at) where due_at is not null;
create index delivery_lanes_failing_idx on public.delivery_lanes (failing_since) where failing_since is not null;
