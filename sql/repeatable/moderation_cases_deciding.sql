-- Decisions of cases. A second decision is refused with a code in the detail and, in the hint, the
-- name of the moderator who decided first.

-- Locks a case until the transaction ends, after its subject, in the same order as changes to the
-- subject do: the review, the listing, the reports, the case.
create or replace function public.lock_case(p_case_id uuid) returns public.moderation_cases
language plpgsql security definer set search_path = ''
as $$
declare
    v_case public.moderation_cases;
begin
    perform public.require_admin();
    select * into v_case from public.moderation_cases where id = p_case_id;
    perform from public.reviews where id = v_case.review_id for no key update;
    perform from public.servers where id = v_case.server_id for no key update;
    perform from public.reports
    where case when v_case.review_id is null
        then comment_id is null and server_id = v_case.server_id else comment_id = v_case.review_id
    end
    order by id
    for no key update;
    select * into v_case from public.moderation_cases where id = p_case_id for update;
    if not found then
        raise exception 'Case not found' using errcode = 'PT404';
    end if;
    return v_case;
end
$$;

create or replace function public.lock_open_case(p_case_id uuid) returns public.moderation_cases
language plpgsql security definer set search_path = ''
as $$
declare
    v_case constant public.moderation_cases := public.lock_case(p_case_id);
begin
    if v_case.decision is not null then
        raise exception 'The case is decided'
        using errcode = 'P0001', detail = 'case_decided', hint = coalesce(
            (select username from public.profiles where id = v_case.decided_by), ''
        );
    end if;
    return v_case;
end
$$;

-- Whether a kind of case allows a decision.
create or replace function public.is_decision_of(p_case public.moderation_cases, p_decision text) returns boolean
language sql immutable set search_path = ''
as $$
    select coalesce(p_decision = any(
        case
            when (p_case).kind = 'server' then '{approved,refused}'::text[]
            when (p_case).kind = 'edit' then '{approved,reverted,disabled}'
            when (p_case).kind = 'review' then '{approved,hidden}'
            when (p_case).kind = 'appeal' then '{upheld,overturned}'
            when (p_case).kind = 'report' and (p_case).review_id is null then '{dismissed,disabled}'
            when (p_case).kind = 'report' then '{dismissed,hidden}'
        end
    ), false)
$$;

create or replace function public.put_server_back(p_server_id uuid, p_shown jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    update public.servers
    set
        name = p_shown ->> 'name',
        description = p_shown ->> 'description',
        website_url = p_shown ->> 'website_url',
        discord_url = p_shown ->> 'discord_url',
        video_url = p_shown ->> 'video_url',
        logo_image_url = p_shown ->> 'logo_image_url',
        banner_image_url = p_shown ->> 'banner_image_url',
        description_image_url = p_shown ->> 'description_image_url',
        backdrop_url = p_shown ->> 'backdrop_url'
    where id = p_server_id;
end
$$;

-- Moves the reports of a case from one state to another.
create or replace function public.move_reports(
    p_case public.moderation_cases, p_status text, p_note text, p_from text, p_resolved_at timestamptz
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    update public.reports
    set
        status = p_status, resolution_note = p_note,
        resolved_at = case when p_status <> 'pending' then now() end,
        resolved_by = case when p_status <> 'pending' then (select id from public.profiles where id = auth.uid()) end
    where
        status = p_from and (p_resolved_at is null or resolved_at = p_resolved_at)
        and case when (p_case).review_id is null
            then comment_id is null and server_id = (p_case).server_id else comment_id = (p_case).review_id
        end;
end
$$;

-- Applies a decision to the subject of its case.
create or replace function public.carry_out_decision(
    p_case public.moderation_cases, p_decision text, p_statement text
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if p_decision = 'reverted' then
        perform public.put_server_back((p_case).server_id, (p_case).before);
    elsif p_decision = 'hidden' then
        perform public.set_review_hidden((p_case).review_id, true);
    elsif p_decision = 'disabled' then
        perform public.apply_server_decision((p_case).server_id, 'suspend', p_statement);
    elsif (p_case).kind = 'server' then
        perform public.apply_server_decision(
            (p_case).server_id, case p_decision when 'approved' then 'approve' else 'refuse' end, p_statement
        );
    elsif p_decision = 'overturned' then
        perform public.undo_effects(c) from public.moderation_cases as c where c.id = (p_case).appeal_of;
        update public.moderation_cases
        set
            taken_back_at = now(), told_back_at = now(),
            taken_back_by = (select id from public.profiles where id = auth.uid())
        where id = (p_case).appeal_of;
    end if;
    -- Hiding a subject resolves its reports, whichever case decided it.
    if (p_case).kind = 'report' or p_decision = 'hidden' then
        perform public.move_reports(
            p_case, case p_decision when 'dismissed' then 'dismissed' else 'resolved' end, p_statement, 'pending', null
        );
    end if;
end
$$;

create or replace function public.decide_case(
    p_case_id uuid, p_decision text, p_reason text default null, p_statement text default null,
    p_sanction text default null, p_days integer default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_case constant public.moderation_cases := public.lock_open_case(p_case_id);
    v_statement constant text := nullif(btrim(p_statement), '');
    v_until constant timestamptz := public.sanction_end(p_sanction, p_days);
    v_after jsonb;
    v_warning_id uuid;
begin
    if not public.is_decision_of(v_case, p_decision) then
        raise exception 'This cannot be decided of such a case' using errcode = '22023';
    elsif p_sanction is not null and (v_case.person_id is null or v_case.kind = 'appeal') then
        raise exception 'There is nobody to sanction' using errcode = '22023';
    end if;
    if p_sanction is not null or p_decision in ('refused', 'disabled', 'hidden', 'reverted') then
        perform public.require_reason(p_reason, v_statement);
    end if;
    if v_case.kind = 'appeal' then
        perform public.require_another_person(v_case);
    end if;
    -- The case is decided before its subject changes, because triggers settle open cases.
    if p_decision = 'reverted' then
        select public.shown_of_server(s) into v_after from public.servers as s where s.id = v_case.server_id;
    end if;
    update public.moderation_cases
    set
        decision = p_decision, sanction = p_sanction, until = v_until, reason = p_reason, statement = v_statement,
        after = v_after, decided_at = now(),
        decided_by = (select id from public.profiles where id = auth.uid())
    where id = p_case_id;
    perform public.carry_out_decision(v_case, p_decision, v_statement);
    if p_sanction is not null then
        v_warning_id := public.sanction_person(
            v_case.person_id, p_sanction, v_until, v_statement, v_case.server_id
        );
        update public.moderation_cases set warning_id = v_warning_id where id = p_case_id;
    end if;
end
$$;

revoke execute on function
    public.lock_case(uuid), public.lock_open_case(uuid), public.is_decision_of(public.moderation_cases, text),
    public.put_server_back(uuid, jsonb),
    public.move_reports(public.moderation_cases, text, text, text, timestamptz),
    public.carry_out_decision(public.moderation_cases, text, text),
    public.decide_case(uuid, text, text, text, text, integer)
from public;
grant execute on function public.decide_case(uuid, text, text, text, text, integer) to authenticated;
