-- Who is written to of a decision. It waits a few minutes, so that nobody hears of a slip that was put
-- right at once.

-- So many decisions, or decisions taken back, that nobody was written to of; they count as told with
-- the transaction. Without an address where there is nobody to write to, or nothing to say.
drop function if exists public.take_decisions(timestamptz, integer);
create function public.take_decisions(p_at timestamptz, p_rows integer)
returns table (
    case_id uuid, email text, language text, site_name text, kind text, label text, decision text,
    sanction text, until timestamptz, reason text, statement text, is_taken_back boolean
)
language plpgsql security definer set search_path = ''
as $$
begin
    return query
    with due as materialized (
        select c.id, c.taken_back_at
        from public.moderation_cases as c
        where
            c.decision is not null and c.told_back_at is null
            and ((c.told_at is null) = (c.taken_back_at is null))
            and coalesce(c.taken_back_at, c.decided_at) <= p_at - interval '3 minutes'
        order by c.decided_at
        limit p_rows
        for update skip locked
    ),
    told as (
        update public.moderation_cases as c
        set
            told_at = coalesce(c.told_at, p_at),
            told_back_at = case when due.taken_back_at is not null then p_at end
        from due
        where c.id = due.id
        returning c.*
    )
    select
        t.id, u.email::text, coalesce(p.language, 'fr'), public.setting_text('site_name', 'Palmarès'), t.kind, t.label, t.decision, t.sanction, t.until, t.reason,
        t.statement, t.taken_back_at is not null
    from told as t
    left join public.profiles as p on p.id = t.person_id
    left join auth.users as u on
        u.id = t.person_id and u.email_confirmed_at is not null
        -- What changes nothing for anybody is not written about.
        and (t.reason is not null or t.kind = 'appeal' or (t.kind = 'server' and t.decision = 'approved'))
    order by t.decided_at;
end
$$;

revoke execute on function public.take_decisions(timestamptz, integer) from public;
grant execute on function public.take_decisions(timestamptz, integer) to service_role;
