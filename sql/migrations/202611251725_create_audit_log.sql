-- What administrators did: who, to what, to whom, and how it was before. Nothing here refers to another table: an entry
-- outlives everybody and everything it names.
create table public.audit_log (
    id bigint generated always as identity primary key,
    created_at timestamptz not null default now(),
    actor_id uuid not null,
    actor_name text not null,
    action text not null,
    -- The table the row was of, or what else it was done to.
    subject_kind text not null,
    subject_id text,
    subject_label text,
    server_id uuid,
    -- Whose it is.
    person_id uuid,
    person_name text,
    -- Of a change the columns that changed.
    before jsonb,
    after jsonb,
    -- What the search looks at.
    names text not null generated always as (
        actor_name || ' ' || coalesce(subject_label, '') || ' ' || coalesce(person_name, '')
    ) stored,
    constraint audit_log_action check (action in ('created', 'changed', 'deleted', 'voided'))
);

alter table public.audit_log enable row level security;

-- In the orders the administrators' table asks for.
create index audit_log_newest_idx on public.audit_log (created_at desc nulls last, id);
create index audit_log_actor_idx on public.audit_log (actor_id, created_at desc nulls last, id);
create index audit_log_person_idx on public.audit_log (person_id, created_at desc nulls last, id) where person_id is not null;
create index audit_log_server_idx on public.audit_log (server_id, created_at desc nulls last, id) where server_id is not null;
create index audit_log_kind_idx on public.audit_log (subject_kind, created_at desc nulls last, id);
