-- Passkeys of operators. Of a passkey the database has what proves a signature, which is no secret.
create table _console.passkeys (
    id uuid primary key,
    operator_id uuid not null references _console.operators (id) on delete cascade,
    name text not null check (char_length(name) between 1 and 100),
    -- The domain it was made at, which is the only one it answers to.
    domain text not null,
    credential_id bytea not null unique,
    public_key bytea not null,
    sign_count bigint not null,
    backup_eligible boolean not null,
    backed_up boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz
);

create index passkeys_operator_id_idx on _console.passkeys (operator_id);

-- Ceremonies that wait for a browser's answer. Each is taken out by the first one.
create table _console.ceremonies (
    id uuid primary key,
    -- Whose; nobody's where a passkey is to tell who signs in.
    operator_id uuid references _console.operators (id) on delete cascade,
    purpose text not null check (purpose in ('registration', 'sign_in', 'second_factor')),
    state jsonb not null,
    expires_at timestamptz not null
);

create index ceremonies_operator_id_idx on _console.ceremonies (operator_id);
create index ceremonies_expires_at_idx on _console.ceremonies (expires_at);

revoke all on all tables in schema _console from public, anon, authenticated, service_role;

create trigger refuse_others before insert or update or delete or truncate on _console.passkeys
for each statement execute function _console.refuse_others();

create trigger refuse_others before insert or update or delete or truncate on _console.ceremonies
for each statement execute function _console.refuse_others();
