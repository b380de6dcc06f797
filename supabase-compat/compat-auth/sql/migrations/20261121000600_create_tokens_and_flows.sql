-- Pending one-time tokens, and sign-in flows that return through a browser.
create type auth.one_time_token_type as enum (
    'confirmation_token',
    'reauthentication_token',
    'recovery_token',
    'email_change_token_new',
    'email_change_token_current',
    'phone_change_token'
);

create table auth.one_time_tokens (
    id uuid not null,
    user_id uuid not null,
    token_type auth.one_time_token_type not null,
    token_hash text not null,
    relates_to text not null,
    created_at timestamp without time zone not null default now(),
    updated_at timestamp without time zone not null default now(),
    constraint one_time_tokens_pkey primary key (id),
    constraint one_time_tokens_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade,
    constraint one_time_tokens_token_hash_check check (char_length(token_hash) > 0)
);

alter table auth.one_time_tokens enable row level security;

create index one_time_tokens_token_hash_hash_idx on auth.one_time_tokens using hash (token_hash);
create index one_time_tokens_relates_to_hash_idx on auth.one_time_tokens using hash (relates_to);
create unique index one_time_tokens_user_id_token_type_key on auth.one_time_tokens (user_id, token_type);

create table auth.flow_state (
    id uuid not null,
    user_id uuid,
    auth_code text,
    code_challenge_method auth.code_challenge_method,
    code_challenge text,
    provider_type text not null,
    provider_access_token text,
    provider_refresh_token text,
    created_at timestamptz,
    updated_at timestamptz,
    authentication_method text not null,
    auth_code_issued_at timestamptz,
    invite_token text,
    referrer text,
    oauth_client_state_id uuid,
    linking_target_id uuid,
    email_optional boolean not null default false,
    constraint flow_state_pkey primary key (id)
);

alter table auth.flow_state enable row level security;

create index idx_auth_code on auth.flow_state (auth_code);
create index idx_user_id_auth_method on auth.flow_state (user_id, authentication_method);
create index flow_state_created_at_idx on auth.flow_state (created_at desc);

comment on table auth.flow_state is 'Flows that left for a provider or a mailbox and must be continued with their code.';
