-- Uploads that may be resumed. What arrived lies in parts, named by the version the object will have.
create table storage.tus_uploads (
    version uuid primary key,
    bucket_id text not null references storage.buckets (id) on delete cascade,
    key text collate "C" not null,
    -- Null until it is said.
    length bigint,
    received bigint not null default 0,
    upsert boolean not null,
    owner_id text,
    -- `Upload-Metadata`, as it was sent.
    metadata text not null,
    is_done boolean not null default false,
    -- Whoever writes at the moment, until a moment it keeps putting off.
    writer uuid,
    writer_until timestamptz,
    expires_at timestamptz not null,
    created_at timestamptz not null default now()
);

create index on storage.tus_uploads (expires_at);
create index on storage.tus_uploads (bucket_id);

create table storage.tus_parts (
    version uuid not null references storage.tus_uploads (version) on delete cascade,
    number integer not null,
    size bigint not null,
    etag text not null,
    primary key (version, number)
);

alter table storage.tus_uploads enable row level security;
alter table storage.tus_parts enable row level security;
