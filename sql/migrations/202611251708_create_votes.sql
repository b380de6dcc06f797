-- Votes as they were cast. The address is known as a keyed hash only, and that is forgotten after a while.
create table public.votes (
    id uuid primary key default gen_random_uuid(),
    server_id uuid not null references public.servers (id) on delete cascade,
    user_id uuid references public.profiles (id) on delete set null,
    nickname text not null,
    nickname_folded text not null generated always as (lower(nickname)) stored,
    ip_hash text,
    -- The network (of IPv4 by 24 bits, of IPv6 by 48): a number made from its keyed hash, forgotten with the address.
    network bigint,
    was_signed_in boolean not null default false,
    voted_at timestamptz not null default now(),
    constraint votes_nickname_length check (char_length(nickname) between 2 and 50)
);

alter table public.votes enable row level security;

-- One index for each of the three ways a voter is recognised.
create index votes_by_address_idx on public.votes (server_id, ip_hash, voted_at desc);
create index votes_by_nickname_idx on public.votes (server_id, nickname_folded, voted_at desc);
create index votes_by_account_idx on public.votes (user_id, voted_at desc) where user_id is not null;

-- Votes whose address is still to be forgotten.
create index votes_identities_idx on public.votes (voted_at) where ip_hash is not null;

-- An account's latest vote for a server, which is not to be looked for among all that the server has.
create index votes_by_account_and_server_idx on public.votes (user_id, server_id, voted_at desc)
where user_id is not null;

-- What is old is read by its age, a step at a time, by a job. A vote enters this index when its address is forgotten, not
-- when it is cast.
create index votes_old_idx on public.votes (voted_at) where ip_hash is null;

-- A server's latest votes, and who gave how many in a month, without reading the votes themselves.
create index votes_by_server_idx on public.votes (server_id, voted_at desc) include (nickname);

-- Votes for which a game server has given its reward: one row each, so that claiming rewrites no vote. See
-- vote_claims.sql.
create table public.vote_claims (
    vote_id uuid primary key references public.votes (id) on delete cascade,
    claimed_at timestamptz not null default now()
);

alter table public.vote_claims enable row level security;

-- A server's own site sends somebody to vote with a ticket, which the vote spends: it learns that they voted without
-- matching addresses or names. Tickets are handed out by the server's token and mean nothing elsewhere.
create table public.vote_tickets (
    ticket text primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    -- What the site calls the visitor; it is given back as it came.
    reference text,
    -- The name the vote is expected under.
    nickname text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- The vote that spent it, which may be thinned before the ticket is.
    vote_id uuid,
    voted_as text,
    spent_at timestamptz,
    constraint vote_tickets_form check (ticket ~ '^[A-Za-z0-9_-]{22,64}$'),
    constraint vote_tickets_lengths check (char_length(reference) <= 100 and char_length(nickname) <= 50),
    constraint vote_tickets_spent_by_a_vote check ((vote_id is null) = (spent_at is null))
);

alter table public.vote_tickets enable row level security;

-- How many of a server are open; what is over.
create index vote_tickets_open_idx on public.vote_tickets (server_id, expires_at) where spent_at is null;
create index vote_tickets_expires_at_idx on public.vote_tickets (expires_at);

-- What a vote spent is found when it is taken back.
create index vote_tickets_vote_idx on public.vote_tickets (vote_id) where vote_id is not null;
