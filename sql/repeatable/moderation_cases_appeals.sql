-- The decisions that people read about themselves, and their appeals.

-- The decisions about the caller, without who decided.
create or replace function public.get_my_decisions() returns table (
    id uuid, kind text, label text, decision text, sanction text, until timestamptz, reason text, statement text,
    decided_at timestamptz, taken_back_at timestamptz, appeal text, appealed_at timestamptz, appeal_decision text,
    appeal_statement text
)
language sql stable security definer set search_path = ''
as $$
    select
        c.id, c.kind, c.label, c.decision, c.sanction, c.until, c.reason, c.statement, c.decided_at, c.taken_back_at,
        a.message, a.opened_at, a.decision, a.statement
    from public.moderation_cases as c
    left join public.moderation_cases as a on a.appeal_of = c.id
    where
        c.person_id = (select auth.uid()) and c.reason is not null and c.kind <> 'appeal'
        -- A decision that was taken back before its email is not shown, unless it was appealed.
        and (c.taken_back_at is null or c.told_at is not null or a.id is not null)
    order by c.decided_at desc
$$;

-- Files an appeal: `filed`, `known` if there is one already, or `closed` if the decision cannot be
-- appealed. One appeal for each decision, within half a year.
create or replace function public.file_appeal(p_case_id uuid, p_person_id uuid, p_message text) returns text
language plpgsql
as $$
begin
    if exists (select from public.moderation_cases where appeal_of = p_case_id and person_id = p_person_id) then
        return 'known';
    end if;
    insert into public.moderation_cases (kind, subject_id, server_id, review_id, appeal_of, person_id, label, message)
    select 'appeal', c.id, c.server_id, c.review_id, c.id, c.person_id, c.label, coalesce(btrim(p_message), '')
    from public.moderation_cases as c
    where
        c.id = p_case_id and c.person_id = p_person_id and c.reason is not null and c.kind <> 'appeal'
        and c.taken_back_at is null and c.decided_at > now() - interval '6 months'
    on conflict (appeal_of) do nothing;
    return case when found then 'filed' else 'closed' end;
end
$$;

create or replace function public.appeal_decision(p_case_id uuid, p_message text) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_outcome text := 'closed';
begin
    if public.has_shown_second_factor() then
        v_outcome := public.file_appeal(p_case_id, auth.uid(), p_message);
    end if;
    if v_outcome = 'known' then
        raise exception 'The decision was appealed' using errcode = 'P0001', detail = 'already_appealed';
    elsif v_outcome = 'closed' then
        raise exception 'There is no decision to appeal' using errcode = 'PT404';
    end if;
end
$$;

-- Files an appeal of a banned person, who cannot sign in. The site has verified the link in the
-- email about the decision.
create or replace function public.appeal_from_mail(p_case_id uuid, p_message text) returns text
language sql security definer set search_path = ''
as $$
    select coalesce((
        select public.file_appeal(c.id, c.person_id, p_message)
        from public.moderation_cases as c
        where c.id = p_case_id and c.person_id is not null
    ), 'closed')
$$;

-- The author of a decision may not decide its appeal, unless there is no other administrator.
create or replace function public.require_another_person(p_case public.moderation_cases) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    if
        exists (
            select from public.moderation_cases as c where c.id = (p_case).appeal_of and c.decided_by = auth.uid()
        )
        and exists (
            select from public.profiles where role in ('admin', 'founder') and id <> auth.uid() and not is_banned
        )
    then
        raise exception 'Another person decides this' using errcode = 'P0001', detail = 'appeal_of_own_decision';
    end if;
end
$$;

revoke execute on function
    public.get_my_decisions(), public.file_appeal(uuid, uuid, text), public.appeal_decision(uuid, text),
    public.appeal_from_mail(uuid, text), public.require_another_person(public.moderation_cases)
from public;
grant execute on function public.appeal_from_mail(uuid, text) to service_role;
grant execute on function public.get_my_decisions(), public.appeal_decision(uuid, text) to authenticated;
