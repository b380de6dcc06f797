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

-- The network of a vote (of IPv4 by 24 bits, of IPv6 by 48): a number made from its keyed hash, forgotten with the
-- address.
alter table public.votes add column network bigint;

alter type public.ballot add attribute network bigint;
-- When one that is refused may be cast again.
alter type public.ballot add attribute again_at timestamptz;
drop function if exists public.cast_votes(
    uuid[], text[], uuid[], text[], text[], timestamptz[], timestamptz[], boolean, text[]
);
drop function if exists public.cast_vote(uuid, text, uuid, text, timestamptz);

-- Nought is none. A player who votes for every server there is, every two hours, meets none of them.
insert into public.site_settings (setting_key, setting_value)
values
('vote_limit_address_hour', '60'),
('vote_limit_address_day', '300'),
('vote_limit_network_hour', '60'),
('vote_limit_server_minute', '1200')
on conflict do nothing;
