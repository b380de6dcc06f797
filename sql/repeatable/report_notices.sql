-- Who reported without an account: read by those who decide, written by the site itself.
revoke all on public.report_notices from anon, authenticated, service_role;
grant select on public.report_notices to authenticated;
grant all on public.report_notices to service_role;

drop policy if exists "administrators see every notice" on public.report_notices;
create policy "administrators see every notice" on public.report_notices
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.report_notices;
create policy "the service does everything" on public.report_notices
for all to service_role using (true) with check (true);

-- Files a report of a listing, or of a review of it; what became of that: `filed`, `known` while one of
-- the same person about the same waits, `limited` after five within a day, `unlisted`, or `spent`. The
-- name of the listing comes along. The answer to the challenge is spent before anything is looked up about
-- the person: whoever asks after somebody else pays for it.
create or replace function public.file_notice(
    p_server_id uuid, p_review_id uuid, p_reason text, p_explanation text, p_name text, p_email text,
    p_language text, p_nonce text, p_nonce_ends_at timestamptz, p_at timestamptz
) returns table (outcome text, label text)
language plpgsql security definer set search_path = ''
as $$
declare
    v_label text;
    v_report_id uuid;
begin
    select public.plain_text(s.name) into v_label
    from public.servers as s
    inner join public.server_standings as st on st.server_id = s.id
    where
        s.id = p_server_id and st.is_listed and (p_review_id is null or exists (
            select from public.reviews as r where r.id = p_review_id and r.server_id = s.id and not r.is_hidden
        ));
    if not found then
        return query select 'unlisted', null::text;
        return;
    end if;
    insert into public.captcha_spent (nonce, expires_at) values (p_nonce, p_nonce_ends_at)
    on conflict (nonce) do nothing;
    if not found then
        return query select 'spent', v_label;
        return;
    end if;
    -- One after the other, or each would find nothing of the others.
    perform pg_advisory_xact_lock(hashtextextended('report_notices/' || lower(p_email), 0));
    if exists (
        select from public.report_notices as n
        inner join public.reports as r on r.id = n.report_id
        where
            lower(n.email) = lower(p_email) and r.status = 'pending'
            and r.comment_id is not distinct from p_review_id
            and (p_review_id is not null or r.server_id = p_server_id)
    ) then
        return query select 'known', v_label;
        return;
    elsif (
        select count(*) from public.report_notices as n
        where lower(n.email) = lower(p_email) and n.received_at > p_at - interval '1 day'
    ) >= 5 then
        return query select 'limited', v_label;
        return;
    end if;
    insert into public.reports (server_id, comment_id, reporter_id, reason, custom_reason)
    values (
        case when p_review_id is null then p_server_id end, p_review_id, null, p_reason,
        case p_reason when 'other' then left(p_explanation, 500) end
    )
    returning id into v_report_id;
    insert into public.report_notices (report_id, name, email, language, explanation, received_at)
    values (v_report_id, p_name, p_email, p_language, p_explanation, p_at);
    return query select 'filed', v_label;
end
$$;

-- So many notices that were decided, or decided anew, and whose senders were not written to of it; they
-- count as told with the transaction. Whoever decides has a few minutes to think better of it.
create or replace function public.take_decided_notices(p_at timestamptz, p_rows integer)
returns table (
    email text, language text, site_name text, contact_email text, label text, is_review boolean, is_upheld boolean
)
language plpgsql security definer set search_path = ''
as $$
begin
    return query
    with due as materialized (
        select n.report_id
        from public.report_notices as n
        inner join public.reports as r on r.id = n.report_id
        where
            r.status <> 'pending' and r.resolved_at <= p_at - interval '3 minutes'
            and (n.told_at is null or n.told_at < r.resolved_at)
        order by n.received_at
        limit p_rows
        for update of n skip locked
    )
    update public.report_notices as n
    set told_at = p_at
    from due
    inner join public.reports as r on r.id = due.report_id
    left join public.reviews as v on v.id = r.comment_id
    left join public.servers as s on s.id = coalesce(v.server_id, r.server_id)
    where n.report_id = due.report_id
    returning
        n.email, n.language, public.setting_text('site_name', 'Palmarès'), public.setting_text('contact_email', ''),
        coalesce(public.plain_text(s.name), ''), r.comment_id is not null, r.status = 'resolved';
end
$$;

-- Forgets who sent so many notices that were decided before a moment; how many. The reports stay.
create or replace function public.forget_notices(p_before timestamptz, p_rows integer) returns integer
language sql security definer set search_path = ''
as $$
    with due as materialized (
        select n.report_id
        from public.report_notices as n
        inner join public.reports as r on r.id = n.report_id
        where n.received_at < p_before and r.resolved_at < p_before
        order by n.received_at
        limit p_rows
        for update of n skip locked
    ),
    forgotten as (
        delete from public.report_notices using due where report_notices.report_id = due.report_id returning 1
    )
    select count(*)::integer from forgotten
$$;

revoke execute on function
    public.file_notice(uuid, uuid, text, text, text, text, text, text, timestamptz, timestamptz),
    public.take_decided_notices(timestamptz, integer), public.forget_notices(timestamptz, integer)
from public;
