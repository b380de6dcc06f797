-- Names of the original that migrations, dumps and programs mention. The program keeps its subscriptions in memory
-- and writes nothing here.
do $$
begin
    if to_regtype('realtime.equality_op') is null then
        create type realtime.equality_op as enum ('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in');
    end if;
    if to_regtype('realtime.action') is null then
        create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
    end if;
    if to_regtype('realtime.wal_column') is null then
        create type realtime.wal_column as (
            name text,
            type_name text,
            type_oid oid,
            value jsonb,
            is_pkey boolean,
            is_selectable boolean
        );
    end if;
    if to_regtype('realtime.wal_rls') is null then
        create type realtime.wal_rls as (
            wal jsonb,
            is_rls_enabled boolean,
            subscription_ids uuid[],
            errors text[]
        );
    end if;
    if to_regtype('realtime.user_defined_filter') is null then
        create type realtime.user_defined_filter as (
            column_name text,
            op realtime.equality_op,
            value text,
            negate boolean
        );
    end if;
    if to_regprocedure('realtime.to_regrole(text)') is null then
        create function realtime.to_regrole(role_name text) returns regrole
        language sql immutable set search_path = ''
        as $role$
            select role_name::pg_catalog.regrole
        $role$;
    end if;
    if to_regclass('realtime.subscription') is null then
        create table realtime.subscription (
            id bigint generated always as identity primary key,
            subscription_id uuid not null,
            entity regclass not null,
            filters realtime.user_defined_filter[] not null default '{}',
            claims jsonb not null,
            claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
            created_at timestamp not null default timezone('utc', now()),
            action_filter text default '*',
            selected_columns text[]
        );
        create index ix_realtime_subscription_entity on realtime.subscription (entity);
        alter table realtime.subscription enable row level security;
    end if;
end
$$;

alter type realtime.equality_op add value if not exists 'like';
alter type realtime.equality_op add value if not exists 'ilike';
alter type realtime.equality_op add value if not exists 'is';
alter type realtime.equality_op add value if not exists 'match';
alter type realtime.equality_op add value if not exists 'imatch';
alter type realtime.equality_op add value if not exists 'isdistinct';
