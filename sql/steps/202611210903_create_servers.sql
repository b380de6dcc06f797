-- A listing. Name, description and version are kept sanitised and HTML-escaped (see clean_text). Counters, promotion,
-- approval and visibility are written by procedures only; the token for the vote API lives in a table of its own,
-- so that a whole row of this one can be shown to anyone who may see the listing.
create table public.servers (
    id uuid primary key default gen_random_uuid(),
    slug text not null,
    name text not null,
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
    is_approved boolean not null,
    is_hidden boolean not null default false,
    hidden_reason text,
    warnings integer not null default 0,
    is_online boolean not null default false,
    online_players integer not null default 0,
    max_players integer not null default 100,
    status_checked_at timestamptz,
    total_votes integer not null default 0,
    monthly_votes integer not null default 0,
    weekly_votes integer not null default 0,
    daily_votes integer not null default 0,
    clicks integer not null default 0,
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
        coalesce(video_url, 'https://') ~* '^https?://' and char_length(coalesce(video_url, '')) <= 2048
        and coalesce(discord_url, 'https://') ~* '^https?://' and char_length(coalesce(discord_url, '')) <= 2048
        and coalesce(website_url, 'https://') ~* '^https?://' and char_length(coalesce(website_url, '')) <= 2048
    ),
    constraint servers_pictures check (
        coalesce(logo_image_url, '/') ~* '^(https?:/)?/' and char_length(coalesce(logo_image_url, '')) <= 2048
        and coalesce(banner_image_url, '/') ~* '^(https?:/)?/' and char_length(coalesce(banner_image_url, '')) <= 2048
        and coalesce(description_image_url, '/') ~* '^(https?:/)?/'
        and char_length(coalesce(description_image_url, '')) <= 2048
        and coalesce(backdrop_url, '/') ~* '^(https?:/)?/' and char_length(coalesce(backdrop_url, '')) <= 2048
    ),
    constraint servers_custom_color_shape check (custom_color ~ '^#[0-9A-Fa-f]{6}$'),
    constraint servers_sponsor_tier_length check (char_length(sponsor_tier) between 1 and 40),
    constraint servers_hidden_reason check (hidden_reason in ('owner', 'moderation', 'bonus_expired', 'owner_left')),
    constraint servers_counters check (
        online_players >= 0 and max_players >= 0 and total_votes >= 0 and monthly_votes >= 0 and weekly_votes >= 0
        and daily_votes >= 0 and clicks >= 0 and review_count >= 0 and rating_sum >= 0 and warnings >= 0
    )
);

alter table public.servers enable row level security;

-- Two listings of one game share neither name nor address.
create unique index servers_game_name_key on public.servers (game_id, lower(name));
create unique index servers_game_address_key on public.servers (game_id, lower(ip_address)) where ip_address <> 'N/A';

-- The orders the lists are read in; what nobody may see is left out.
create index servers_by_votes_idx on public.servers (monthly_votes desc, id) where is_approved and not is_hidden;
create index servers_of_game_by_votes_idx on public.servers (game_id, monthly_votes desc, id)
where is_approved and not is_hidden;
create index servers_by_players_idx on public.servers (online_players desc, id) where is_approved and not is_hidden;
create index servers_by_age_idx on public.servers (created_at desc, id) where is_approved and not is_hidden;
create index servers_by_clicks_idx on public.servers (clicks desc, id) where is_approved and not is_hidden;
create index servers_tags_idx on public.servers using gin (tags);
create index servers_owner_idx on public.servers (owner_id);
create index servers_prestige_idx on public.servers (prestige_expires_at) where is_sponsored;
