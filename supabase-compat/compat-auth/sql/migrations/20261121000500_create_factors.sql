-- Second factors, their challenges, and how each session was authenticated.
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
    id uuid not null,
    user_id uuid not null,
    friendly_name text,
    factor_type auth.factor_type not null,
    status auth.factor_status not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    secret text,
    phone text,
    last_challenged_at timestamptz,
    web_authn_credential jsonb,
    web_authn_aaguid uuid,
    last_webauthn_challenge_data jsonb,
    constraint mfa_factors_pkey primary key (id),
    constraint mfa_factors_last_challenged_at_key unique (last_challenged_at),
    constraint mfa_factors_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade
);

alter table auth.mfa_factors enable row level security;

create unique index mfa_factors_user_friendly_name_unique on auth.mfa_factors (friendly_name, user_id)
where trim(friendly_name) <> '';
create unique index unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);
create index factor_id_created_at_idx on auth.mfa_factors (user_id, created_at);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

comment on table auth.mfa_factors is 'Second factors of a user, verified or waiting for their first code.';

create table auth.mfa_challenges (
    id uuid not null,
    factor_id uuid not null,
    created_at timestamptz not null,
    verified_at timestamptz,
    ip_address inet not null,
    otp_code text,
    web_authn_session_data jsonb,
    constraint mfa_challenges_pkey primary key (id),
    constraint mfa_challenges_auth_factor_id_fkey foreign key (factor_id)
        references auth.mfa_factors (id) on delete cascade
);

alter table auth.mfa_challenges enable row level security;

create index mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);

create table auth.mfa_amr_claims (
    session_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    authentication_method text not null,
    id uuid not null,
    constraint amr_id_pk primary key (id),
    constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method),
    constraint mfa_amr_claims_session_id_fkey foreign key (session_id)
        references auth.sessions (id) on delete cascade
);

alter table auth.mfa_amr_claims enable row level security;

comment on table auth.mfa_amr_claims is 'The ways in which a session was authenticated, each with its latest moment.';
