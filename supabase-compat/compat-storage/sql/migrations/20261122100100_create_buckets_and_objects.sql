create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table storage.buckets (
    id text not null,
    name text not null,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    public boolean default false,
    avif_autodetection boolean default false,
    file_size_limit bigint,
    allowed_mime_types text[],
    owner_id text,
    type storage.buckettype not null default 'STANDARD',
    primary key (id),
    constraint buckets_name_length_check check (length(name) <= 100)
);

create unique index bname on storage.buckets (name);

comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

-- Names compare byte by byte, so that one index tells them apart, finds them by their beginnings and
-- brings them in the order pages are cut by.
create table storage.objects (
    id uuid not null default gen_random_uuid(),
    bucket_id text,
    name text collate "C",
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    last_accessed_at timestamptz default now(),
    metadata jsonb,
    path_tokens text[] generated always as (string_to_array(name, '/')) stored,
    version text,
    owner_id text,
    user_metadata jsonb,
    primary key (id),
    constraint "objects_bucketId_fkey" foreign key (bucket_id) references storage.buckets (id)
);

create unique index bucketid_objname on storage.objects (bucket_id, name);
create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name), name);

comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
