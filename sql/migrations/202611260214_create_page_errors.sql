-- Errors of the site's own scripts, as browsers report them: where in the code, never whose browser or at which address.
-- One row for each place of a release; `reports` counts how often it was met.
create table public.page_errors (
    id bigint generated always as identity primary key,
    release text not null,
    page text not null,
    name text not null,
    stack_hash text not null,
    frames text[] not null,
    reports bigint not null default 1,
    first_at timestamptz not null,
    last_at timestamptz not null,
    constraint page_errors_release_shape check (release ~ '^[A-Za-z0-9_.-]{1,64}$'),
    constraint page_errors_page_shape check (page ~ '^[A-Za-z0-9]{1,64}$'),
    constraint page_errors_name_shape check (name ~ '^[A-Za-z0-9_]{1,64}$'),
    constraint page_errors_hash_shape check (stack_hash ~ '^[0-9a-f]{64}$'),
    constraint page_errors_frames_count check (cardinality(frames) between 1 and 10),
    unique (release, page, stack_hash)
);

alter table public.page_errors enable row level security;

-- In the orders the administrators' table asks for, and for what is as old as it is kept.
create index page_errors_last_idx on public.page_errors (last_at desc nulls last, id);
