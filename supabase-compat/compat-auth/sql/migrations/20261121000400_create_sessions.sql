-- Who is signed in, and the tokens that keep them so.
create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');

create table auth.sessions (
    id uuid not null,
    user_id uuid not null,
    created_at timestamptz,
    updated_at timestamptz,
    factor_id uuid,
    aal auth.aal_level,
    not_after timestamptz,
    refreshed_at timestamp without time zone,
    user_agent text,
    ip inet,
    tag text,
    oauth_client_id uuid,
    refresh_token_hmac_key text,
    refresh_token_counter bigint,
    scopes text,
    constraint sessions_pkey primary key (id),
    constraint sessions_user_id_fkey foreign key (user_id)
        references auth.users (id) on delete cascade,
    constraint sessions_oauth_client_id_fkey foreign key (oauth_client_id)
        references auth.oauth_clients (id) on delete cascade,
    constraint sessions_scopes_length check (char_length(scopes) <= 4096)
);

alter table auth.sessions enable row level security;

create index sessions_user_id_idx on auth.sessions (user_id);
create index user_id_created_at_idx on auth.sessions (user_id, created_at);
create index sessions_not_after_idx on auth.sessions (not_after desc);
create index sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

comment on table auth.sessions is 'One row per sign-in; deleting it ends the session at once.';
comment on column auth.sessions.not_after is 'When the session ends whatever happens, or null.';

create table auth.refresh_tokens (
    instance_id uuid,
    id bigserial not null,
    token varchar(255),
    user_id varchar(255),
    revoked boolean,
    created_at timestamptz,
    updated_at timestamptz,
    parent varchar(255),
    session_id uuid,
    constraint refresh_tokens_pkey primary key (id),
    constraint refresh_tokens_token_unique unique (token),
    constraint refresh_tokens_session_id_fkey foreign key (session_id)
        references auth.sessions (id) on delete cascade
);

alter table auth.refresh_tokens enable row level security;

create index refresh_tokens_instance_id_idx on auth.refresh_tokens (instance_id);
create index refresh_tokens_instance_id_user_id_idx on auth.refresh_tokens (instance_id, user_id);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_updated_at_idx on auth.refresh_tokens (updated_at desc);

comment on table auth.refresh_tokens is 'The chain of tokens of a session; a used one is revoked and names no successor but is its parent.';
