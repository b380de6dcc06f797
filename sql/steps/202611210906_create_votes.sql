-- Votes as they were cast. The address is known as a keyed hash only, and that is forgotten after a while.
create table public.votes (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    user_id uuid references public.profiles (id) on delete set null,
    nickname text not null,
    nickname_folded text not null generated always as (lower(nickname)) stored,
    ip_hash text,
    was_signed_in boolean not null default false,
    voted_at timestamptz not null default now(),
    constraint votes_nickname_length check (char_length(nickname) between 2 and 50)
);

alter table public.votes enable row level security;

-- One index for each of the three ways a voter is recognised.
create index votes_by_address_idx on public.votes (server_id, ip_hash, voted_at desc);
create index votes_by_nickname_idx on public.votes (server_id, nickname_folded, voted_at desc);
create index votes_by_account_idx on public.votes (user_id, voted_at desc) where user_id is not null;
create index votes_by_time_idx on public.votes (voted_at);
