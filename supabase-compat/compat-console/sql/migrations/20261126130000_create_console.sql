-- Who looks after the project in the console, and what they did. What is secret in it is sealed with a key
-- that the database does not have, since the members of `pg_read_all_data` read every table.
create table _console.operators (
    id uuid primary key,
    email text not null unique check (email = lower(email)),
    role text not null check (role in ('owner', 'developer', 'read_only')),
    -- Sealed.
    password_hash bytea not null,
    -- Sealed secret of the authenticator app; before its first code it is pending.
    second_factor bytea,
    pending_second_factor bytea,
    -- The time step of the last code, which counts once.
    second_factor_step bigint not null default 0,
    created_at timestamptz not null,
    last_seen_at timestamptz
);

create table _console.sessions (
    token_hash bytea primary key,
    operator_id uuid not null references _console.operators (id) on delete cascade,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null
);

create index sessions_operator_id_idx on _console.sessions (operator_id);

create table _console.setup_links (
    token_hash bytea primary key,
    role text not null check (role in ('owner', 'developer', 'read_only')),
    -- Whether it was printed at a start and counts only while there is nobody.
    is_first boolean not null,
    expires_at timestamptz not null
);

create table _console.audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    operator text not null,
    method text not null,
    path text not null,
    summary text not null,
    status integer not null,
    address text not null
);

revoke all on all tables in schema _console from public, anon, authenticated, service_role;
revoke all on schema _console from public, anon, authenticated, service_role;

-- Members of `pg_write_all_data` write every table; an operator whose SQL runs as one must not make themselves
-- an owner.
create function _console.refuse_others() returns trigger
language plpgsql
set search_path = ''
as $$
begin
    if not pg_catalog.pg_has_role(
        current_user, (select c.relowner from pg_catalog.pg_class as c where c.oid = tg_relid), 'usage'
    ) then
        raise insufficient_privilege using message = format('permission denied for table %s', tg_table_name);
    end if;
    return null;
end
$$;

create trigger refuse_others before insert or update or delete or truncate on _console.operators
for each statement execute function _console.refuse_others();

create trigger refuse_others before insert or update or delete or truncate on _console.sessions
for each statement execute function _console.refuse_others();

create trigger refuse_others before insert or update or delete or truncate on _console.setup_links
for each statement execute function _console.refuse_others();

create trigger refuse_others before insert or update or delete or truncate on _console.audit_log
for each statement execute function _console.refuse_others();
