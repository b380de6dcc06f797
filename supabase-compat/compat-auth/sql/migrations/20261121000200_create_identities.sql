-- How a person can prove who they are: one row per provider account.
create table auth.identities (
    provider_id text not null,
    user_id uuid not null,
    identity_data jsonb not null,
    provider text not null,
    last_sign_in_at timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    email text generated always as (lower(identity_data ->> 'email')) stored,
    id uuid not null default gen_random_uuid(),
    constraint identities_pkey primary key (id),
    constraint identities_provider_id_provider_unique unique (provider_id, provider),
    constraint identities_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade
);

alter table auth.identities enable row level security;

create index identities_email_idx on auth.identities (email text_pattern_ops);
create index identities_user_id_idx on auth.identities (user_id);

comment on table auth.identities is 'Provider accounts that belong to a user.';
