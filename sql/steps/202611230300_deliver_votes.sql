-- How a webhook is told, and the secret before this one, which signs beside it for a while. When its deliveries failed
-- for too long it is switched off, and its owner told.
alter table public.webhooks
add column format text not null default 'json',
add column previous_secret text,
add column previous_secret_until timestamptz,
add column disabled_at timestamptz,
add column disabled_reason text,
drop constraint webhooks_url,
-- The address of a postback has places for what is told, but not where it says whom to call.
add constraint webhooks_url check (
    public.is_web_address(
        case format
            when 'postback' then regexp_replace(url, '\{(nick|ticket|secret|vote|server|time)\}', '0', 'g')
            else url
        end
    )
    and url !~ '^https?://[^/?#]*[{]'
),
add constraint webhooks_format check (format in ('json', 'discord', 'postback'));

alter table public.votifier_configs
add column disabled_at timestamptz,
add column disabled_reason text;

-- What became of the last attempt: the code of the fault, what was sent and what was answered, both cut.
alter table public.deliveries
-- Since when it waits; a replay begins anew.
add column queued_at timestamptz not null default now(),
add column tried_at timestamptz,
add column fault text,
add column request text,
add column answer_status integer,
add column answer text,
-- Whether the receiver said that it took it; the older of two protocols has no word for it.
add column is_confirmed boolean;

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

drop index public.deliveries_due_idx;
create index deliveries_waiting_idx on public.deliveries (server_id, channel, next_attempt_at) where status = 'pending';

insert into public.delivery_lanes (server_id, channel, due_at)
select distinct server_id, channel, now() from public.deliveries where status = 'pending';
