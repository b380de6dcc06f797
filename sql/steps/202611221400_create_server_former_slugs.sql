-- The words a listing's page once stood at. Whoever follows an old address is led to the new one, so
-- none of them names another listing while it stands here.
create table public.server_former_slugs (
    slug text primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    left_at timestamptz not null default now(),
    constraint server_former_slugs_shape check (slug ~ '^[a-z0-9_]+(-[a-z0-9_]+)*$')
);

alter table public.server_former_slugs enable row level security;

create index server_former_slugs_server_idx on public.server_former_slugs (server_id, left_at desc);
