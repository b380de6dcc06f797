-- The games a listing can belong to. `page_slug` is the name in the address of the game's page, which some games
-- share; `shortcut` is the name in the short addresses (/serveurs-{shortcut}), which the two Dofus share.
create table public.games (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    slug text not null,
    page_slug text not null,
    shortcut text,
    logo_url text,
    backdrop_url text,
    is_steam boolean not null default false,
    status_protocol text not null default 'tcp',
    default_port integer,
    nickname_pattern text,
    accent_color text,
    sort_order integer not null default 100,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint games_name_key unique (name),
    constraint games_slug_key unique (slug),
    constraint games_name_length check (char_length(btrim(name)) between 1 and 80),
    constraint games_slug_shape check (slug ~ '^[a-z0-9_]+(-[a-z0-9_]+)*$'),
    constraint games_page_slug_shape check (page_slug ~ '^[a-z0-9_]+(-[a-z0-9_]+)*$'),
    constraint games_status_protocol check (status_protocol in ('minecraft', 'fivem', 'source', 'tcp')),
    constraint games_default_port check (default_port between 1 and 65535),
    constraint games_nickname_pattern_length check (char_length(nickname_pattern) <= 200),
    constraint games_accent_color_shape check (accent_color ~ '^#[0-9A-Fa-f]{6}$'),
    constraint games_picture_addresses check (
        public.is_picture_address(logo_url) and public.is_picture_address(backdrop_url)
    )
);

alter table public.games enable row level security;

create index games_shortcut_idx on public.games (shortcut);

-- The games the site opens with. Filled once, so that what administrators change or delete later stays as they left it.
insert into public.games (
    name, slug, page_slug, shortcut, is_steam, status_protocol, default_port, nickname_pattern, accent_color, sort_order
)
values
('Minecraft', 'minecraft', 'minecraft', 'minecraft', false, 'minecraft', 25565, '[A-Za-z0-9_]{3,16}', '#5FA83A', 10),
('GTA V (FiveM)', 'gta-v-fivem', 'gta-v-fivem', 'gta-rp', false, 'fivem', 30120, null, '#E8743B', 20),
('Dofus Retro', 'dofus-retro', 'dofus-retro', 'dofus', false, 'tcp', null, null, '#9CB23C', 30),
('Dofus 2.X', 'dofus-2x', 'dofus-2x', 'dofus', false, 'tcp', null, null, '#C9A227', 40),
('World of Warcraft', 'world-of-warcraft', 'world-of-warcraft', 'wow', false, 'tcp', 3724, null, '#D9A441', 50),
('CS2', 'cs2', 'cs2', 'cs2', true, 'source', 27015, null, '#E5A13A', 60),
('CS:GO', 'csgo', 'csgo', null, true, 'source', 27015, null, '#5D79AE', 70),
('CS Source', 'cs-source', 'cs-source', null, true, 'source', 27015, null, '#7A8B99', 80),
('Rust', 'rust', 'rust', 'rust', true, 'source', 28015, null, '#CD412B', 90),
('DayZ', 'dayz', 'dayz', 'dayz', true, 'source', 2302, null, '#8A9A5B', 100),
('Garry''s Mod', 'garrys-mod', 'garrys-mod', 'garry-mod', true, 'source', 27015, null, '#3E8EDE', 110),
('ARK', 'ark', 'ark', null, true, 'source', 27015, null, '#2FA39A', 120),
('Roblox', 'roblox', 'roblox', null, false, 'tcp', null, '[A-Za-z0-9_]{3,20}', '#E2463F', 130),
('Red Dead Redemption 2', 'red-dead-redemption-2', 'red-dead-redemption-2', null, false, 'fivem', 30120, null, '#B3261E', 140),
('Lineage 2', 'lineage-2', 'lineage-2', null, false, 'tcp', 2106, null, '#7C8FBF', 150),
('Metin 2', 'metin-2', 'metin-2', null, false, 'tcp', 11002, null, '#B5533C', 160),
('Aion', 'aion', 'aion', null, false, 'tcp', 2106, null, '#57B6D9', 170),
('Mu Online', 'mu-online', 'mu-online', null, false, 'tcp', 44405, null, '#C77B30', 180),
('Black Desert Online', 'black-desert-online', 'minecraft', null, false, 'tcp', null, null, '#8C7B6B', 190),
('Cabal Online', 'cabal-online', 'minecraft', null, false, 'tcp', 38101, null, '#4C7FD0', 200),
('Flyff', 'flyff', 'minecraft', null, false, 'tcp', 23000, null, '#6CC4E8', 210),
('Ragnarok Online', 'ragnarok-online', 'minecraft', null, false, 'tcp', 6900, null, '#E58FB1', 220),
('Rappelz', 'rappelz', 'minecraft', null, false, 'tcp', 4500, null, '#9A6FD0', 230),
('Silkroad Online', 'silkroad-online', 'minecraft', null, false, 'tcp', 15779, null, '#D4B26A', 240),
('Archlord', 'archlord', 'minecraft', null, false, 'tcp', 11002, null, '#A8483F', 250);

update public.games
set
    logo_url = '/pictures/games/' || slug || '/logo.svg',
    backdrop_url = '/pictures/games/' || slug || '/backdrop.svg';

-- How much goes on in each game, kept so that nobody counts listings to read it; see games_figures.sql.
create table public.game_figures (
    game_id uuid primary key references public.games (id) on delete cascade,
    servers integer not null default 0,
    -- How many of them are promoted: lists with them or without them are counted from it.
    promoted integer not null default 0,
    players_online integer not null default 0,
    votes_this_month integer not null default 0,
    votes_total bigint not null default 0,
    constraint game_figures_not_negative check (
        servers >= 0 and players_online >= 0 and votes_this_month >= 0 and votes_total >= 0
    ),
    constraint game_figures_promoted check (promoted between 0 and servers)
);

alter table public.game_figures enable row level security;

-- How many listings of each game wear a tag, kept so that nobody counts them to read a list of one; see games_figures.sql.
create table public.game_tag_figures (
    game_id uuid not null references public.games (id) on delete cascade,
    tag text not null,
    servers integer not null,
    promoted integer not null,
    primary key (tag, game_id),
    constraint game_tag_figures_some check (servers > 0 and promoted between 0 and servers)
);

alter table public.game_tag_figures enable row level security;

create index game_tag_figures_game_idx on public.game_tag_figures (game_id);
