-- Scheduled jobs with the interface of `pg_cron`, for the role that migrates and for roles to which
-- it grants access.
revoke usage on schema cron from public;

-- Accepts five fields, a macro, or `1 to 59 seconds`. The server parses schedules again, more
-- strictly.
create or replace function cron._is_schedule(schedule text) returns boolean
language sql immutable set search_path = ''
as $$
    select coalesce(
        btrim(schedule) ~* '^([1-9]|[1-5][0-9])\s+seconds?$'
        or btrim(schedule) ~* '^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$'
        or btrim(schedule) ~* '^([0-9*/,$a-z-]+\s+){4}[0-9*/,a-z-]+$',
        false
    )
$$;

-- A job runs in a session of the server's login, which cannot safely act as another role. So jobs
-- may only run as the owner of the table, who is the role that migrates; the schema may be owned by
-- `supabase_admin`.
create or replace function cron._may_run(username text) returns boolean
language sql stable set search_path = ''
as $$
    select exists (
        select
        from pg_catalog.pg_class as c
        where c.oid = 'cron.job'::regclass and pg_catalog.pg_get_userbyid(c.relowner) = username
    )
$$;

create or replace function cron._schedule(
    job_name text, schedule text, command text, database text, username text, active boolean
) returns bigint
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
declare
    v_id bigint;
begin
    if not cron._is_schedule(_schedule.schedule) then
        raise exception 'invalid schedule: %', _schedule.schedule
        using errcode = '22023', hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
    end if;
    if _schedule.database is distinct from current_database() then
        raise exception 'Jobs run in this database only' using errcode = '0A000';
    end if;
    if not cron._may_run(coalesce(_schedule.username, current_user)) then
        raise exception 'Jobs run as the role that migrates only' using errcode = '42501';
    end if;
    insert into cron.job (jobname, schedule, command, database, username, active)
    values (
        _schedule.job_name, btrim(_schedule.schedule), _schedule.command, _schedule.database,
        coalesce(_schedule.username, current_user), coalesce(_schedule.active, true)
    )
    on conflict (jobname, username) do update
    set schedule = excluded.schedule, command = excluded.command, active = excluded.active
    returning jobid into v_id;
    perform pg_notify('cron', '');
    return v_id;
end
$$;

create or replace function cron.schedule(schedule text, command text) returns bigint
language sql set search_path = ''
as $$ select cron._schedule(null, schedule, command, current_database()::text, null, true) $$;

create or replace function cron.schedule(job_name text, schedule text, command text) returns bigint
language sql set search_path = ''
as $$ select cron._schedule(job_name, schedule, command, current_database()::text, null, true) $$;

create or replace function cron.schedule_in_database(
    job_name text, schedule text, command text, database text, username text default null,
    active boolean default true
) returns bigint
language sql set search_path = ''
as $$ select cron._schedule(job_name, schedule, command, database, username, active) $$;

create or replace function cron.unschedule(job_id bigint) returns boolean
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
begin
    delete from cron.job where jobid = unschedule.job_id;
    if not found then
        raise exception 'could not find valid entry for job %', unschedule.job_id using errcode = 'P0002';
    end if;
    perform pg_notify('cron', '');
    return true;
end
$$;

create or replace function cron.unschedule(job_name text) returns boolean
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
begin
    delete from cron.job where jobname = unschedule.job_name and username = current_user;
    if not found then
        raise exception 'could not find valid entry for job ''%''', unschedule.job_name using errcode = 'P0002';
    end if;
    perform pg_notify('cron', '');
    return true;
end
$$;

create or replace function cron.alter_job(
    job_id bigint, schedule text default null, command text default null, database text default null,
    username text default null, active boolean default null
) returns void
language plpgsql set search_path = ''
as $$
#variable_conflict use_column
begin
    if alter_job.schedule is not null and not cron._is_schedule(alter_job.schedule) then
        raise exception 'invalid schedule: %', alter_job.schedule using errcode = '22023';
    end if;
    if coalesce(alter_job.database, current_database()) <> current_database() then
        raise exception 'Jobs run in this database only' using errcode = '0A000';
    end if;
    if not cron._may_run(coalesce(alter_job.username, current_user)) then
        raise exception 'Jobs run as the role that migrates only' using errcode = '42501';
    end if;
    update cron.job as j
    set
        schedule = coalesce(btrim(alter_job.schedule), j.schedule),
        command = coalesce(alter_job.command, j.command),
        username = coalesce(alter_job.username, j.username),
        active = coalesce(alter_job.active, j.active)
    where j.jobid = alter_job.job_id;
    if not found then
        raise exception 'Job % does not exist or you don''t own it', alter_job.job_id using errcode = 'P0002';
    end if;
    perform pg_notify('cron', '');
end
$$;
