-- A hosted project as its database looks from outside: accounts, objects and rows, with the ledgers of the services
-- that made their schemas. Some releases old, so that tables, columns and labels are missing that came later, and
-- some ahead, so that there are columns nobody here knows. Written for this test.
create schema extensions;
create extension pgcrypto with schema extensions;
create extension "uuid-ossp" with schema extensions;
set search_path = public, extensions;

create schema auth;
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create type auth.factor_status as enum ('unverified', 'verified');
-- Without telephones, which came later.
create type auth.factor_type as enum ('totp', 'webauthn');
create type auth.one_time_token_type as enum (
    'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new',
    'email_change_token_current', 'phone_change_token'
);

create table auth.schema_migrations (version varchar(255) primary key);
insert into auth.schema_migrations values ('20171026211738'), ('20240729123726'), ('20240802193726');

create table auth.instances (
    id uuid primary key, uuid uuid, raw_base_config text, created_at timestamptz, updated_at timestamptz
);

create table auth.users (
    instance_id uuid,
    id uuid primary key,
    aud varchar(255),
    role varchar(255),
    email varchar(255),
    encrypted_password varchar(255),
    email_confirmed_at timestamptz,
    invited_at timestamptz,
    confirmation_token varchar(255),
    confirmation_sent_at timestamptz,
    recovery_token varchar(255),
    recovery_sent_at timestamptz,
    email_change_token_new varchar(255),
    email_change varchar(255),
    email_change_sent_at timestamptz,
    last_sign_in_at timestamptz,
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    is_super_admin boolean,
    created_at timestamptz,
    updated_at timestamptz,
    phone text unique default null,
    phone_confirmed_at timestamptz,
    phone_change text default '',
    phone_change_token varchar(255) default '',
    phone_change_sent_at timestamptz,
    confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
    email_change_token_current varchar(255) default '',
    email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
    banned_until timestamptz,
    reauthentication_token varchar(255) default '',
    reauthentication_sent_at timestamptz,
    is_sso_user boolean not null default false,
    deleted_at timestamptz,
    is_anonymous boolean not null default false
);
create index users_instance_id_idx on auth.users (instance_id);
create unique index users_email_partial_key on auth.users (email) where is_sso_user = false;
create unique index confirmation_token_idx on auth.users (confirmation_token) where confirmation_token !~ '^[0-9 ]*$';

create table auth.identities (
    provider_id text not null,
    user_id uuid not null references auth.users on delete cascade,
    identity_data jsonb not null,
    provider text not null,
    last_sign_in_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    email text generated always as (lower(identity_data ->> 'email')) stored,
    id uuid primary key default gen_random_uuid(),
    constraint identities_provider_id_provider_unique unique (provider_id, provider)
);

create table auth.sessions (
    id uuid primary key,
    user_id uuid not null references auth.users on delete cascade,
    created_at timestamptz,
    updated_at timestamptz,
    factor_id uuid,
    aal auth.aal_level,
    not_after timestamptz,
    refreshed_at timestamp,
    user_agent text,
    ip inet,
    tag text
);

create table auth.refresh_tokens (
    instance_id uuid,
    id bigserial primary key,
    token varchar(255) constraint refresh_tokens_token_unique unique,
    user_id varchar(255),
    revoked boolean,
    created_at timestamptz,
    updated_at timestamptz,
    parent varchar(255),
    session_id uuid references auth.sessions on delete cascade
);

create table auth.mfa_factors (
    id uuid primary key,
    user_id uuid not null references auth.users on delete cascade,
    friendly_name text,
    factor_type auth.factor_type not null,
    status auth.factor_status not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    secret text,
    last_challenged_at timestamptz unique
);

create table auth.mfa_challenges (
    id uuid primary key,
    factor_id uuid not null references auth.mfa_factors on delete cascade,
    created_at timestamptz not null,
    verified_at timestamptz,
    ip_address inet not null
);

create table auth.mfa_amr_claims (
    session_id uuid not null references auth.sessions on delete cascade,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    authentication_method text not null,
    id uuid constraint amr_id_pk primary key,
    constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);

create table auth.one_time_tokens (
    id uuid primary key,
    user_id uuid not null references auth.users on delete cascade,
    token_type auth.one_time_token_type not null,
    token_hash text not null check (char_length(token_hash) > 0),
    relates_to text not null,
    created_at timestamp not null default now(),
    updated_at timestamp not null default now()
);

create table auth.flow_state (
    id uuid primary key,
    user_id uuid,
    -- Later releases leave these three empty at times.
    auth_code text not null,
    code_challenge_method auth.code_challenge_method not null,
    code_challenge text not null,
    provider_type text not null,
    provider_access_token text,
    provider_refresh_token text,
    created_at timestamptz,
    updated_at timestamptz,
    authentication_method text not null,
    auth_code_issued_at timestamptz
);

create table auth.audit_log_entries (
    instance_id uuid, id uuid primary key, payload json, created_at timestamptz, ip_address varchar(64) not null default ''
);

alter table auth.users enable row level security;
alter table auth.identities enable row level security;

create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
    select nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
$$;

create schema storage;
create table storage.migrations (
    id integer primary key, name varchar(100) unique not null, hash varchar(40) not null,
    executed_at timestamp default current_timestamp
);
insert into storage.migrations (id, name, hash) values
    (0, 'create-migrations-table', 'e18db593bcde2aca2a408c4d1100f6abba2195df'),
    (25, 'custom-metadata', '3dd6e9f2e4d6d1ec40b2a3a94b1e1d5a6e5e7f51');

create table storage.buckets (
    id text primary key,
    name text not null,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    public boolean default false,
    avif_autodetection boolean default false,
    file_size_limit bigint,
    allowed_mime_types text[],
    owner_id text,
    -- Unknown here.
    versioning_status text not null default 'off'
);
create unique index bname on storage.buckets (name);

create table storage.objects (
    id uuid primary key default extensions.uuid_generate_v4(),
    bucket_id text constraint "objects_bucketId_fkey" references storage.buckets,
    name text,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    last_accessed_at timestamptz default now(),
    metadata jsonb,
    path_tokens text[] generated always as (string_to_array(name, '/')) stored,
    version text,
    owner_id text,
    user_metadata jsonb,
    level integer
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;

-- A table of folders, kept by triggers, which later releases have given up.
create table storage.prefixes (
    bucket_id text references storage.buckets, name text collate "C", level integer, primary key (bucket_id, level, name)
);
create function storage.objects_insert_prefix_trigger() returns trigger language plpgsql as $$
begin
    insert into storage.prefixes (bucket_id, name, level)
    values (new.bucket_id, split_part(new.name, '/', 1), 1)
    on conflict do nothing;
    new.level := cardinality(string_to_array(new.name, '/'));
    return new;
end
$$;
create trigger objects_insert_create_prefix before insert on storage.objects
for each row execute function storage.objects_insert_prefix_trigger();
create trigger objects_update_create_prefix before update on storage.objects
for each row when (new.name <> old.name) execute function storage.objects_insert_prefix_trigger();

create function storage.foldername(name text) returns text[] language plpgsql immutable as $$
declare
    parts text[] := string_to_array(name, '/');
begin
    return parts[1 : array_length(parts, 1) - 1];
end
$$;
create function storage.search(
    prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0,
    search text default '', sortcolumn text default 'name', sortorder text default 'asc'
) returns table (
    name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
) language sql stable as $$
    select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
    from storage.objects as o where o.bucket_id = bucketname
$$;

-- The project's own.
create table public.profiles (
    id uuid primary key references auth.users on delete cascade, nickname text not null
);
alter table public.profiles enable row level security;
create policy "people read their own" on public.profiles for select to authenticated using (id = (select auth.uid()));
grant all on public.profiles to anon, authenticated, service_role;
create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin
    insert into public.profiles (id, nickname) values (new.id, coalesce(new.raw_user_meta_data ->> 'nickname', 'nobody'));
    return new;
end
$$;
create trigger on_auth_user_created after insert on auth.users
for each row execute function public.handle_new_user();
create table public.notes (
    id bigint generated by default as identity primary key,
    author uuid not null default auth.uid() references auth.users,
    token uuid not null default extensions.uuid_generate_v4(),
    text text
);
alter table public.notes enable row level security;
create policy "authors have their notes" on public.notes to authenticated using (author = (select auth.uid()));
grant all on public.notes to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
create policy "people have a folder of their own" on storage.objects to authenticated
using (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text)
with check (bucket_id = 'files' and (storage.foldername(name))[1] = (select auth.uid())::text);

create schema supabase_migrations;
create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
insert into supabase_migrations.schema_migrations values ('20240901000000', '{}', 'create_notes');

-- Two people: one with a second factor and a session that goes on, one from outside.
insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
    email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
) values
(
    '00000000-0000-0000-0000-000000000000', '11111111-1111-4111-8111-111111111111', 'authenticated', 'authenticated',
    'ada@hosted.test', extensions.crypt('correct horse', extensions.gen_salt('bf', 6)), now(), '', '', '', '',
    '{"provider": "email", "providers": ["email"]}', '{"nickname": "Ada"}', now(), now()
),
(
    '00000000-0000-0000-0000-000000000000', '22222222-2222-4222-8222-222222222222', 'authenticated', 'authenticated',
    'bob@hosted.test', extensions.crypt('correct horse', extensions.gen_salt('bf', 6)), now(), '', '', '', '',
    '{"provider": "email", "providers": ["email", "github"]}', '{"nickname": "Bob"}', now(), now()
);
insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', now(), now(), now() from auth.users
union all
select '4711', id, jsonb_build_object('sub', '4711', 'email', email), 'github', now(), now(), now()
from auth.users where email = 'bob@hosted.test';
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret) values (
    '33333333-3333-4333-8333-333333333333', '11111111-1111-4111-8111-111111111111', 'phone app', 'totp', 'verified',
    now(), now(), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
);
insert into auth.sessions (id, user_id, created_at, updated_at, aal) values (
    '44444444-4444-4444-8444-444444444444', '22222222-2222-4222-8222-222222222222', now(), now(), 'aal1'
);
insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method, id) values (
    '44444444-4444-4444-8444-444444444444', now(), now(), 'password', gen_random_uuid()
);
insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id) values (
    '00000000-0000-0000-0000-000000000000', 'v2mzyqk4uwcx', '22222222-2222-4222-8222-222222222222', false, now(), now(),
    '44444444-4444-4444-8444-444444444444'
);
insert into public.notes (author, text) values
('11111111-1111-4111-8111-111111111111', 'of Ada'), ('22222222-2222-4222-8222-222222222222', 'of Bob');
insert into storage.buckets (id, name, public) values ('files', 'files', false), ('pictures', 'pictures', true);
insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version) values (
    'files', '11111111-1111-4111-8111-111111111111/note.txt', '11111111-1111-4111-8111-111111111111',
    '11111111-1111-4111-8111-111111111111',
    '{"size": 5, "mimetype": "text/plain", "eTag": "\"5d41402abc4b2a76b9719d911017c592\"", "cacheControl": "max-age=3600", "contentLength": 5, "httpStatusCode": 200}',
    '55555555-5555-4555-8555-555555555555'
);
