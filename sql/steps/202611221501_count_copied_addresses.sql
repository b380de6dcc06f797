-- How often a listing's address was copied, by day, beside its votes and clicks.
alter table public.server_daily_counts
add column copies integer not null default 0,
add constraint server_daily_counts_copies check (copies >= 0);

-- Who copied it today, by a keyed hash; nobody counts twice a day. Taken away when the day is over.
create table public.server_copies (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    ip_hash text not null,
    primary key (server_id, day, ip_hash)
);

alter table public.server_copies enable row level security;

create index server_copies_day_idx on public.server_copies (day);
