-- Votes for which a game server has given its reward: one row each, so that claiming rewrites no vote. See
-- vote_claims.sql.
create table public.vote_claims (
    vote_id uuid primary key references public.votes (id) on delete cascade,
    claimed_at timestamptz not null default now()
);

alter table public.vote_claims enable row level security;

-- A server's latest votes, and who gave how many in a month, without reading the votes themselves.
create index votes_by_server_idx on public.votes (server_id, voted_at desc) include (nickname);
