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
        coalesce(logo_url, '/') ~* '^(https?:/)?/' and coalesce(backdrop_url, '/') ~* '^(https?:/)?/'
    )
);

alter table public.games enable row level security;

create index games_shortcut_idx on public.games (shortcut);
