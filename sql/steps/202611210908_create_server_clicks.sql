-- One row for each visit a listing's page got from a list; servers.clicks is their number.
create table public.server_clicks (
    id bigint generated always as identity primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    clicked_at timestamptz not null default now()
);

alter table public.server_clicks enable row level security;

create index server_clicks_server_idx on public.server_clicks (server_id, clicked_at desc);
