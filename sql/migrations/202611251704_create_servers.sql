-- A listing. Name, description and version are kept sanitised and HTML-escaped (see clean_text). Counters, promotion,
-- approval and visibility are written by procedures only; the token for the vote API lives in a table of its own,
-- so that a whole row of this one can be shown to anyone who may see the listing.
create table public.servers (
    id uuid primary key default gen_random_uuid(),
    slug text not null,
    name text not null,
    -- The name as the search compares it: without accents, case and punctuation, a blank in front so that the
    -- beginnings of words can be told from their middles. Kept by a trigger; see servers_search.sql.
    search_name text not null default '',
    description text not null default '',
    language text not null default 'fr',
    ip_address text not null default 'N/A',
    version text,
    game_id uuid not null references public.games (id),
    tags text[] not null default '{}',
    logo_image_url text,
    banner_image_url text,
    description_image_url text,
    backdrop_url text,
    video_url text,
    discord_url text,
    website_url text,
    owner_id uuid default auth.uid() references public.profiles (id) on delete set null,
    open_vote_api boolean not null default false,
    is_sponsored boolean not null default false,
    sponsor_tier text,
    custom_color text,
    prestige_expires_at timestamptz,
    prestige_payment_id uuid,
    is_prestige_bonus boolean not null default false,
    -- Owners may list a promoted server like any other for a while: its days go on, and it shows nothing of Prestige.
    shows_prestige boolean not null default true,
    is_approved boolean not null,
    is_hidden boolean not null default false,
    hidden_reason text,
    -- What an administrator decided: when it was refused, and the words its owner reads.
    refused_at timestamptz,
    moderation_reason text,
    warnings integer not null default 0,
    review_count integer not null default 0,
    rating_sum integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint servers_slug_key unique (slug),
    constraint servers_slug_shape check (slug ~ '^[a-z0-9_]+(-[a-z0-9_]+)*$'),
    -- Escaping lengthens a text up to sixfold; the limits people are told are checked before it.
    constraint servers_stored_lengths check (
        char_length(name) <= 600 and char_length(description) <= 60000 and char_length(version) <= 300
    ),
    constraint servers_language check (language in ('fr', 'en', 'es')),
    constraint servers_address_length check (char_length(ip_address) between 1 and 255),
    constraint servers_tag_count check (cardinality(tags) <= 10),
    constraint servers_links check (
        public.is_web_address(video_url) and public.is_web_address(discord_url) and public.is_web_address(website_url)
    ),
    constraint servers_pictures check (
        public.is_picture_address(logo_image_url) and public.is_picture_address(banner_image_url)
        and public.is_picture_address(description_image_url) and public.is_picture_address(backdrop_url)
    ),
    constraint servers_custom_color_shape check (custom_color ~ '^#[0-9A-Fa-f]{6}$'),
    constraint servers_sponsor_tier_length check (char_length(sponsor_tier) between 1 and 40),
    -- A listing is shown only while its game is offered; see games_closing.sql.
    constraint servers_hidden_reason check (
        hidden_reason in ('owner', 'moderation', 'bonus_expired', 'owner_left', 'game_closed')
    ),
    constraint servers_moderation_reason_length check (char_length(moderation_reason) between 1 and 1000),
    constraint servers_counters check (review_count >= 0 and rating_sum >= 0 and warnings >= 0)
);

alter table public.servers enable row level security;

-- Two listings of one game share neither name nor address.
create unique index servers_game_name_key on public.servers (game_id, lower(name));
create unique index servers_game_address_key on public.servers (game_id, lower(ip_address)) where ip_address <> 'N/A';
create index servers_owner_idx on public.servers (owner_id);
create index servers_prestige_idx on public.servers (prestige_expires_at) where is_sponsored;

-- Bonus listings that may have to go out of sight.
create index servers_shown_bonus_idx on public.servers (owner_id) where is_prestige_bonus and not is_hidden;

-- In the orders the administrators' table asks for, and by its choices.
create index servers_all_by_age_idx on public.servers (created_at desc nulls last, id);
create index servers_all_by_edit_idx on public.servers (updated_at desc nulls last, id);
create index servers_all_by_name_idx on public.servers (name, id);
create index servers_waiting_idx on public.servers (created_at) where not is_approved and refused_at is null;
create index servers_created_idx on public.servers (created_at);
create index servers_shown_by_age_idx on public.servers (created_at desc nulls last, id) where is_approved and not is_hidden;
create index servers_hidden_by_age_idx on public.servers (created_at desc nulls last, id) where is_hidden;
create index servers_unapproved_by_age_idx on public.servers (created_at desc nulls last, id) where not is_approved;
create index servers_of_game_by_age_idx on public.servers (game_id, created_at desc nulls last, id);

-- The secret a game server's plugin asks the vote API with. One per listing, replaced when it is regenerated.
create table public.server_api_tokens (
    server_id uuid primary key references public.servers (id) on delete cascade,
    token text not null,
    created_at timestamptz not null default now(),
    constraint server_api_tokens_token_key unique (token),
    constraint server_api_tokens_token_length check (char_length(token) between 32 and 128)
);

alter table public.server_api_tokens enable row level security;

-- The words a listing's page once stood at. Whoever follows an old address is led to the new one, so
-- none of them names another listing while it stands here.
create table public.server_former_slugs (
    slug text primary key,
    server_id uuid not null references public.servers (id) on delete cascade,
    left_at timestamptz not null default now(),
    constraint server_former_slugs_shape check (slug ~ '^[a-z0-9_]+(-[a-z0-9_]+)*$')
);

alter table public.server_former_slugs enable row level security;

create index server_former_slugs_server_idx on public.server_former_slugs (server_id, left_at desc);

-- Listings that were announced elsewhere when they were new: each once.
create table public.server_announcements (
    server_id uuid primary key references public.servers (id) on delete cascade,
    announced_at timestamptz not null default now()
);

alter table public.server_announcements enable row level security;
