create schema hooks;
grant usage on schema hooks to supabase_auth_admin;

create table hooks.invited (address text primary key);
create table hooks.attempts (person uuid primary key, failed integer not null default 0);
grant select on hooks.invited to supabase_auth_admin;
grant all on hooks.attempts to supabase_auth_admin;

create function hooks.only_invited(event jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
begin
    if exists (select from hooks.invited where address = event -> 'user' ->> 'email') then
        return '{}';
    end if;
    return '{"error": {"http_code": 403, "message": "by invitation only"}}';
end
$$;

create function hooks.count_attempts(event jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
    failures integer;
begin
    insert into hooks.attempts as a (person, failed)
    values ((event ->> 'user_id')::uuid, case when (event ->> 'valid')::boolean then 0 else 1 end)
    on conflict (person) do update
    set failed = case when (event ->> 'valid')::boolean then 0 else a.failed + 1 end
    returning failed into failures;
    if failures >= 3 then
        return '{"decision": "reject", "message": "too many attempts", "should_logout_user": false}';
    end if;
    return '{"decision": "continue"}';
end
$$;
revoke execute on function hooks.only_invited(jsonb), hooks.count_attempts(jsonb) from public;
grant execute on function hooks.only_invited(jsonb), hooks.count_attempts(jsonb) to supabase_auth_admin;

insert into hooks.invited values ('ada@guard.test');
