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

-- Some owners take votes of their own site's visitors only.
alter table public.server_standings add column requires_ticket boolean not null default false;

alter type public.ballot add attribute ticket text;
drop function if exists public.cast_votes(
    uuid[], text[], uuid[], text[], text[], timestamptz[], timestamptz[], boolean
);
