-- Our own: how often something may still happen, shared by every process on this database.
create table auth.allowances (
    bucket text not null,
    subject text not null,
    tokens double precision not null,
    refilled_at timestamptz not null,
    constraint allowances_pkey primary key (bucket, subject)
);

alter table auth.allowances enable row level security;

create index allowances_refilled_at_idx on auth.allowances (refilled_at);

comment on table auth.allowances is 'Token buckets: what a caller has left of one kind of request, and when that was counted.';
