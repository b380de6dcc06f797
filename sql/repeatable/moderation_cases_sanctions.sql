-- Warnings and bans, with a decision or without a case.

-- Warns or bans a person with a decision, until `p_until` if it is set; returns the warning's id.
create or replace function public.sanction_person(
    p_person_id uuid, p_sanction text, p_until timestamptz, p_words text, p_server_id uuid
) returns uuid
language plpgsql security definer set search_path = ''
as $$
begin
    if p_sanction = 'warning' then
        return public.warn_user(p_person_id, p_words, p_server_id, p_until);
    elsif p_sanction = 'ban' then
        perform public.ban_user(p_person_id, left(p_words, 500), p_until);
    end if;
    return null;
end
$$;

create or replace function public.sanction_end(p_sanction text, p_days integer) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
    if p_sanction not in ('warning', 'ban') then
        raise exception 'A sanction is a warning or a ban' using errcode = '22023';
    elsif p_days is not null and p_days not between 1 and 3650 then
        raise exception 'A warning or a ban lasts 1 to 3650 days' using errcode = '22023';
    end if;
    return case when p_sanction is not null then now() + make_interval(days => p_days) end;
end
$$;

-- Requires a code and a text for a decision against a person.
create or replace function public.require_reason(p_reason text, p_statement text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
    if p_reason is null or p_statement is null then
        raise exception 'The person must be told why' using errcode = '22023', detail = 'reason_missing';
    end if;
end
$$;

-- Warns or bans an account without a case; returns the decided case that this creates, which can be
-- taken back and appealed.
create or replace function public.sanction_account(
    p_user_id uuid, p_sanction text, p_reason text, p_statement text default null, p_days integer default null
) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_profile constant public.profiles := public.require_authority_over(p_user_id);
    v_statement constant text := nullif(btrim(p_statement), '');
    v_until constant timestamptz := public.sanction_end(p_sanction, p_days);
    v_warning_id uuid;
    v_case_id uuid;
begin
    if p_sanction is null then
        raise exception 'A sanction is a warning or a ban' using errcode = '22023';
    elsif p_sanction = 'ban' and v_profile.is_banned then
        raise exception 'The account is banned' using errcode = 'P0001', detail = 'already_banned';
    end if;
    perform public.require_reason(p_reason, v_statement);
    v_warning_id := public.sanction_person(p_user_id, p_sanction, v_until, v_statement, null);
    insert into public.moderation_cases (
        kind, subject_id, person_id, label, decision, sanction, until, warning_id, reason, statement, decided_by, decided_at
    )
    values (
        'account', p_user_id, p_user_id, v_profile.username, 'sanctioned', p_sanction, v_until, v_warning_id, p_reason,
        v_statement, (select id from public.profiles where id = auth.uid()), now()
    )
    returning id into v_case_id;
    return v_case_id;
end
$$;

revoke execute on function
    public.sanction_person(uuid, text, timestamptz, text, uuid), public.sanction_end(text, integer),
    public.require_reason(text, text), public.sanction_account(uuid, text, text, text, integer)
from public;
grant execute on function public.sanction_account(uuid, text, text, text, integer) to authenticated;
