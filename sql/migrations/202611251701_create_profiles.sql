-- One row per account, made by a trigger on auth.users. What others may see of it is in profiles_public.
create table public.profiles (
    id uuid primary key references auth.users (id) on delete cascade,
    username text not null,
    email text,
    role text not null default 'user',
    language text,
    -- Whether an owner wants the weekly mail; one click in any of them says no.
    weekly_mail boolean not null default true,
    total_votes integer not null default 0,
    -- Votes of an account whose rows are gone; total_votes is these and those that stand.
    thinned_votes integer not null default 0,
    is_banned boolean not null default false,
    ban_reason text,
    banned_at timestamptz,
    -- When the ban ends; null for one without an end.
    banned_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint profiles_username_length check (char_length(username) between 2 and 30),
    constraint profiles_username_characters check (username !~ '[[:cntrl:]<>&"]' and username = btrim(username)),
    constraint profiles_role check (role in ('user', 'admin', 'founder')),
    constraint profiles_language check (language in ('fr', 'en', 'es')),
    constraint profiles_total_votes check (total_votes >= 0),
    constraint profiles_thinned_votes check (thinned_votes >= 0),
    constraint profiles_ban_reason_length check (char_length(ban_reason) <= 500)
);

alter table public.profiles enable row level security;

create unique index profiles_username_key on public.profiles (lower(username));
create index profiles_role_idx on public.profiles (role) where role <> 'user';
create index profiles_created_idx on public.profiles (created_at);
create index profiles_banned_until_idx on public.profiles (banned_until) where banned_until is not null;
create index profiles_all_by_age_idx on public.profiles (created_at desc nulls last, id);
create index profiles_all_by_name_idx on public.profiles (username, id);
create index profiles_all_by_votes_idx on public.profiles (total_votes desc nulls last, id);
create index profiles_banned_by_age_idx on public.profiles (created_at desc nulls last, id) where is_banned;
