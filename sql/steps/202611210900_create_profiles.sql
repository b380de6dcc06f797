-- One row per account, made by a trigger on auth.users. What others may see of it is in profiles_public.
create table public.profiles (
    id uuid primary key references auth.users (id) on delete cascade,
    username text not null,
    email text,
    role text not null default 'user',
    language text,
    total_votes integer not null default 0,
    is_banned boolean not null default false,
    ban_reason text,
    banned_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint profiles_username_length check (char_length(username) between 2 and 30),
    constraint profiles_username_characters check (username !~ '[[:cntrl:]<>&"]' and username = btrim(username)),
    constraint profiles_role check (role in ('user', 'admin', 'founder')),
    constraint profiles_language check (language in ('fr', 'en', 'es')),
    constraint profiles_total_votes check (total_votes >= 0),
    constraint profiles_ban_reason_length check (char_length(ban_reason) <= 500)
);

alter table public.profiles enable row level security;

create unique index profiles_username_key on public.profiles (lower(username));
create index profiles_role_idx on public.profiles (role) where role <> 'user';
