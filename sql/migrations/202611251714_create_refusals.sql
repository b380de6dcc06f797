-- Addresses and networks that may not vote: networks as they are written, since an administrator has to read them, single
-- addresses as the hash votes are kept with. One of the two.
create table public.ip_bans (
    id uuid primary key default gen_random_uuid(),
    ip_hash text,
    network cidr,
    reason text,
    banned_by uuid references public.profiles (id) on delete set null,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    constraint ip_bans_ip_hash_key unique (ip_hash),
    constraint ip_bans_network_key unique (network),
    constraint ip_bans_one_kind check (num_nonnulls(ip_hash, network) = 1),
    constraint ip_bans_ip_hash_length check (char_length(ip_hash) between 16 and 128),
    -- Larger ones are a slip of the pen, and one of IPv4 within IPv6 would never be met.
    constraint ip_bans_network_size check (
        masklen(network) >= case family(network) when 4 then 8 else 19 end and not network <<= '::ffff:0:0/96'
    ),
    constraint ip_bans_reason_length check (char_length(reason) <= 500)
);

alter table public.ip_bans enable row level security;

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
