-- Listings that were announced elsewhere when they were new: each once.
create table public.server_announcements (
    server_id uuid primary key references public.servers (id) on delete cascade,
    announced_at timestamptz not null default now()
);

alter table public.server_announcements enable row level security;
