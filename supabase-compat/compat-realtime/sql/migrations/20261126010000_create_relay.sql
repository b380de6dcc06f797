-- What processes tell each other and what is too long for a notification. It is worth nothing after
-- a crash, so nothing of it is logged.
create unlogged table realtime.relay_payloads (
    id bigint generated always as identity primary key,
    payload text not null,
    inserted_at timestamptz not null default now()
);

create index relay_payloads_inserted_at on realtime.relay_payloads (inserted_at);

alter table realtime.relay_payloads enable row level security;
