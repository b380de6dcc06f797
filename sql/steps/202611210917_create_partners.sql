-- Sites the footer links to, and whether they link back.
create table public.partners (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    url text not null,
    logo_url text,
    description text,
    position integer not null default 100,
    backlink_url text,
    backlink_found boolean,
    backlink_checked_at timestamptz,
    is_active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint partners_name_length check (char_length(btrim(name)) between 1 and 80),
    constraint partners_url check (url ~* '^https?://' and char_length(url) <= 2048),
    constraint partners_logo check (logo_url ~* '^(https?:/)?/' and char_length(logo_url) <= 2048),
    constraint partners_description_length check (char_length(description) <= 300),
    constraint partners_backlink check (backlink_url ~* '^https?://' and char_length(backlink_url) <= 2048)
);

alter table public.partners enable row level security;
