-- Providers an administrator adds at run time, and passkeys.
create table auth.custom_oauth_providers (
    id uuid not null default gen_random_uuid(),
    provider_type text not null,
    identifier text not null,
    name text not null,
    client_id text not null,
    client_secret text not null,
    acceptable_client_ids text[] not null default '{}',
    scopes text[] not null default '{}',
    pkce_enabled boolean not null default true,
    attribute_mapping jsonb not null default '{}',
    authorization_params jsonb not null default '{}',
    enabled boolean not null default true,
    email_optional boolean not null default false,
    issuer text,
    discovery_url text,
    skip_nonce_check boolean not null default false,
    cached_discovery jsonb,
    discovery_cached_at timestamptz,
    authorization_url text,
    token_url text,
    userinfo_url text,
    jwks_uri text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    custom_claims_allowlist text[] not null default '{}',
    constraint custom_oauth_providers_pkey primary key (id),
    constraint custom_oauth_providers_identifier_key unique (identifier),
    constraint custom_oauth_providers_provider_type_check check (provider_type in ('oauth2', 'oidc')),
    constraint custom_oauth_providers_identifier_format check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
    constraint custom_oauth_providers_name_length check (char_length(name) between 1 and 100),
    constraint custom_oauth_providers_client_id_length check (char_length(client_id) between 1 and 512)
);

alter table auth.custom_oauth_providers enable row level security;

create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);

create table auth.webauthn_credentials (
    id uuid not null default gen_random_uuid(),
    user_id uuid not null,
    credential_id bytea not null,
    public_key bytea not null,
    attestation_type text not null default '',
    aaguid uuid,
    sign_count bigint not null default 0,
    transports jsonb not null default '[]',
    backup_eligible boolean not null default false,
    backed_up boolean not null default false,
    friendly_name text not null default '',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    last_used_at timestamptz,
    constraint webauthn_credentials_pkey primary key (id),
    constraint webauthn_credentials_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade
);

alter table auth.webauthn_credentials enable row level security;

create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
    id uuid not null default gen_random_uuid(),
    user_id uuid,
    challenge_type text not null,
    session_data jsonb not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint webauthn_challenges_pkey primary key (id),
    constraint webauthn_challenges_challenge_type_check check (
        challenge_type in ('signup', 'registration', 'authentication')
    ),
    constraint webauthn_challenges_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade
);

alter table auth.webauthn_challenges enable row level security;

create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);
