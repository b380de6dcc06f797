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
    monthly_votes integer,
    ticket text,
    network bigint,
    -- When one that is refused may be cast again.
    again_at timestamptz
);

-- Answers to challenges that were accepted, until their challenge would have ended: the unique key
-- is what makes an answer worth one vote, whichever process it is shown to.
create table public.captcha_spent (
    nonce text primary key check (char_length(nonce) between 16 and 128),
    expires_at timestamptz not null
);

alter table public.captcha_spent enable row level security;

create index captcha_spent_expires_at_idx on public.captcha_spent (expires_at);

-- How many votes there were lately: of an address on all listings, of a network on one, of everybody on one. A row for
-- each, with a window that is over soon and one that lasts a day; where one is over, the next vote begins anew.
--
-- Not logged: after a crash of the database nobody has voted lately, and no vote waits for it to be written.
create unlogged table public.vote_windows (
    scope smallint not null,
    -- Of an address none, which is nobody's.
    server_id uuid not null,
    -- The address or the network, as a number made from its keyed hash; of a listing zero.
    voter bigint not null,
    starts_at timestamptz not null,
    votes integer not null,
    day_starts_at timestamptz not null,
    day_votes integer not null,
    primary key (scope, server_id, voter),
    constraint vote_windows_scope check (scope between 1 and 3),
    constraint vote_windows_not_negative check (votes >= 0 and day_votes >= 0)
) with (fillfactor = 70);

alter table public.vote_windows enable row level security;

create index vote_windows_old_idx on public.vote_windows (day_starts_at);
