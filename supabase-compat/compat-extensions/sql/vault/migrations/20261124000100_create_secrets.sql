-- What `supabase_vault` keeps, under its names. A secret is sealed before it is a row.
create table vault.secrets (
    id uuid primary key default gen_random_uuid(),
    name text,
    description text not null default '',
    secret text not null,
    key_id uuid,
    nonce bytea,
    created_at timestamptz not null default current_timestamp,
    updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on vault.secrets (name) where name is not null;
alter table vault.secrets enable row level security;
revoke all on vault.secrets from public, anon, authenticated, service_role;
