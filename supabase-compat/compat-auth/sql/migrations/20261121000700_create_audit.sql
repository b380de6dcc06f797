-- What happened, and two tables that tools of the original look for.
create table auth.audit_log_entries (
    instance_id uuid,
    id uuid not null,
    payload json,
    created_at timestamptz,
    ip_address varchar(64) not null default '',
    constraint audit_log_entries_pkey primary key (id)
);

alter table auth.audit_log_entries enable row level security;

create index audit_logs_instance_id_idx on auth.audit_log_entries (instance_id);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);

comment on table auth.audit_log_entries is 'What users and administrators did.';

create table auth.instances (
    id uuid not null,
    uuid uuid,
    raw_base_config text,
    created_at timestamptz,
    updated_at timestamptz,
    constraint instances_pkey primary key (id)
);

alter table auth.instances enable row level security;

create table auth.schema_migrations (
    version varchar(255) not null,
    constraint schema_migrations_pkey primary key (version)
);

alter table auth.schema_migrations enable row level security;
