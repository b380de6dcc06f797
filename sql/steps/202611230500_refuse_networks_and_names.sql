-- Whole networks are banned beside single addresses: those as they are written, since an administrator has to read them;
-- these as the hash votes are kept with. One of the two.
alter table public.ip_bans
alter column ip_hash drop not null,
add column network cidr,
add constraint ip_bans_network_key unique (network),
add constraint ip_bans_one_kind check (num_nonnulls(ip_hash, network) = 1),
-- Larger ones are a slip of the pen, and one of IPv4 within IPv6 would never be met.
add constraint ip_bans_network_size check (
    masklen(network) >= case family(network) when 4 then 8 else 19 end and not network <<= '::ffff:0:0/96'
);

-- Names nobody may vote with: words with `*` for anything, of one game or of all.
create table public.refused_nicknames (
    id uuid primary key default gen_random_uuid(),
    pattern text not null,
    -- What votes are held against: the words as names are compared, `%` for each `*`.
    folded text not null,
    game_id uuid references public.games (id) on delete cascade,
    reason text,
    refused_by uuid references public.profiles (id) on delete set null,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    constraint refused_nicknames_pattern_length check (char_length(pattern) between 2 and 60),
    -- One that fits everything, or takes long to try, refuses nobody.
    constraint refused_nicknames_pattern check (
        char_length(replace(folded, '%', '')) >= 2 and char_length(folded) - char_length(replace(folded, '%', '')) <= 3
    ),
    constraint refused_nicknames_reason_length check (char_length(reason) <= 500)
);
alter table public.refused_nicknames enable row level security;

create unique index refused_nicknames_of_game_key on public.refused_nicknames (folded, game_id) where game_id is not null;
create unique index refused_nicknames_of_all_key on public.refused_nicknames (folded) where game_id is null;
create index refused_nicknames_game_idx on public.refused_nicknames (game_id) where game_id is not null;

-- Every reason for which a vote does not count, at once or later, and since when it is counted.
create table public.vote_reasons (
    code text primary key,
    kind text not null,
    counted_since timestamptz not null default now(),
    constraint vote_reasons_code check (code ~ '^[a-z]+(_[a-z]+)*$'),
    constraint vote_reasons_kind check (kind in ('refused', 'voided'))
);
alter table public.vote_reasons enable row level security;

insert into public.vote_reasons (code, kind)
values
('banned_account', 'refused'),
('banned_address', 'refused'),
('banned_network', 'refused'),
('captcha', 'refused'),
('captcha_spent', 'refused'),
('cooldown', 'refused'),
('limit_address', 'refused'),
('limit_network', 'refused'),
('limit_server', 'refused'),
('nickname', 'refused'),
('nickname_refused', 'refused'),
('not_listed', 'refused'),
('ticket', 'refused'),
('too_fast', 'refused'),
('automated', 'voided'),
('bought', 'voided'),
('proxies', 'voided'),
('trial', 'voided'),
('other', 'voided');

-- How many votes did not count, by listing, day and reason; those that do are in server_daily_counts. A vote that was
-- voided is counted on the day it was cast.
create table public.vote_outcomes (
    server_id uuid not null references public.servers (id) on delete cascade,
    day date not null,
    reason text not null references public.vote_reasons (code),
    votes integer not null,
    primary key (server_id, day, reason),
    constraint vote_outcomes_votes check (votes > 0)
);
alter table public.vote_outcomes enable row level security;
