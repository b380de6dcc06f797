-- Sites the footer links to, and whether they link back.
create table public.partners (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    url text not null,
    logo_url text,
    description text,
    position integer not null default 100,
    backlink_url text,
    -- What a look at the page that should link back found, and when the next one is wanted.
    backlink_found boolean,
    backlink_fault text,
    backlink_checked_at timestamptz,
    backlink_asked_at timestamptz not null default now(),
    backlink_leased_until timestamptz,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint partners_name_length check (char_length(btrim(name)) between 1 and 80),
    constraint partners_url check (public.is_web_address(url)),
    constraint partners_logo check (public.is_picture_address(logo_url)),
    constraint partners_description_length check (char_length(description) <= 300),
    constraint partners_backlink check (public.is_web_address(backlink_url)),
    constraint partners_backlink_fault check (
        backlink_fault in (
            'no_link', 'nofollow', 'status', 'redirects', 'not_html', 'not_public', 'name_not_found', 'timed_out',
            'too_long', 'unreachable'
        )
    )
);

alter table public.partners enable row level security;
