-- A vote on its way through cast_votes: what it is cast with, and what is decided about it as that becomes known.
create type public.ballot as (
    place integer,
    server_id uuid,
    ip_hash text,
    -- The account; null once it is known to be gone.
    user_id uuid,
    nickname text,
    -- What the answered challenge is known by until it ends; null where none was asked for.
    nonce text,
    nonce_ends_at timestamptz,
    voted_at timestamptz,
    day date,
    game_id uuid,
    outcome text,
    vote_id uuid,
    -- The vote that counts: this one, or the earlier one that holds it back.
    last_voted_at timestamptz,
    total_votes integer,
    monthly_votes integer
);

-- What did the same for one vote at a time.
drop function if exists public.last_counting_vote(uuid, text, uuid, text, timestamptz);
drop function if exists public.is_banned_voter(text, uuid, timestamptz);
drop function if exists public.archive_month(public.server_standings);
drop function if exists public.count_vote(public.votes, public.server_standings);
drop function if exists public.count_voter(public.votes);
drop function if exists public.count_for_competitions(public.votes, uuid);
drop function if exists public.queue_vote_deliveries(public.votes, public.server_standings);

-- An account's latest vote for a server, which is not to be looked for among all that the server has.
create index votes_by_account_and_server_idx on public.votes (user_id, server_id, voted_at desc)
where user_id is not null;
