-- One row for each visit a listing's page got from a list; server_standings.clicks is their number. A visitor counts once
-- a day for a listing and is known by a keyed hash only, like the address of a vote, for a while.
create table public.server_clicks (
    id bigint generated always as identity primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    ip_hash text,
    day date not null default current_date,
    clicked_at timestamptz not null default now()
);

alter table public.server_clicks enable row level security;

create index server_clicks_server_idx on public.server_clicks (server_id, clicked_at desc);
create unique index server_clicks_visitor_key on public.server_clicks (server_id, day, ip_hash);
create index server_clicks_identities_idx on public.server_clicks (clicked_at) where ip_hash is not null;
create index server_clicks_old_idx on public.server_clicks (clicked_at) where ip_hash is null;

-- Who copied it today, by a keyed hash; nobody counts twice a day. Taken away when the day is over.
create table public.server_copies (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    ip_hash text not null,
    primary key (server_id, day, ip_hash)
);

alter table public.server_copies enable row level security;

create index server_copies_day_idx on public.server_copies (day);
