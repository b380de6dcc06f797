-- Reporters without an account. Only administrators read them, and only the site writes them.
revoke all on public.report_notices from anon, authenticated, service_role;
grant select on public.report_notices to authenticated;
grant all on public.report_notices to service_role;

drop policy if exists "administrators see every notice" on public.report_notices;
create policy "administrators see every notice" on public.report_notices
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.report_notices;
create policy "the service does everything" on public.report_notices
for all to service_role using (true) with check (true);

-- Files a report about a listing or one of its reviews. Returns `filed`, `known` while the same
-- person has a pending report about the same subject, `limited` after five in a day, `unlisted`, or
-- `spent`. The challenge is spent before anything is looked up about the person, so that each
-- attempt to learn about another person costs one.
create or replace function public.file_notice(
    p_server_id uuid, p_review_id uuid, p_reason text, p_explanation text, p_name text, p_email text,
    p_language text, p_nonce text, p_nonce_ends_at timestamptz, p_at timestamptz
) returns text
language plpgsql security definer set search_path = ''
as $$
declare
    v_report_id uuid;
begin
    perform from public.servers as s
    inner join public.server_standings as st on st.server_id = s.id
    where
        s.id = p_server_id and st.is_listed and (p_review_id is null or exists (
            select from public.reviews as r where r.id = p_review_id and r.server_id = s.id and not r.is_hidden
        ));
    if not found then
        return 'unlisted';
    end if;
    insert into public.captcha_spent (nonce, expires_at) values (p_nonce, p_nonce_ends_at)
    on conflict (nonce) do nothing;
    if not found then
        return 'spent';
    end if;
    -- Concurrent reports of one person run one after the other, or none would see the others.
    perform pg_advisory_xact_lock(hashtextextended('report_notices/' || lower(p_email), 0));
    if exists (
        select from public.report_notices as n
        inner join public.reports as r on r.id = n.report_id
        where
            lower(n.email) = lower(p_email) and r.status = 'pending'
            and r.comment_id is not distinct from p_review_id
            and (p_review_id is not null or r.server_id = p_server_id)
    ) then
        return 'known';
    elsif (
        select count(*) from public.report_notices as n
        where lower(n.email) = lower(p_email) and n.received_at > p_at - interval '1 day'
    ) >= 5 then
        return 'limited';
    end if;
    insert into public.reports (server_id, comment_id, reporter_id, reason, custom_reason)
    values (
        case when p_review_id is null then p_server_id end, p_review_id, null, p_reason,
        case p_reason when 'other' then left(p_explanation, 500) end
    )
    returning id into v_report_id;
    insert into public.report_notices (report_id, name, email, language, explanation, received_at)
    values (v_report_id, p_name, p_email, p_language, p_explanation, p_at);
    perform public.enqueue_mail('notice_received', v_report_id, '{}', p_at);
    return 'filed';
end
$$;

-- Enqueues an email to the reporter about the decision, and about a changed one. The email is due a
-- few minutes later, so that the decision can be corrected. Rendering the email sets `told_at`.
create or replace function public.notify_reporter() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.withdraw_mail('notice_decided', new.id);
    if new.status <> 'pending' and new.resolved_at is not null and exists (
        select from public.report_notices as n where n.report_id = new.id
    ) then
        perform public.enqueue_mail('notice_decided', new.id, '{}', new.resolved_at, interval '3 minutes');
    end if;
    return null;
end
$$;

drop trigger if exists reports_notify_reporter on public.reports;
create trigger reports_notify_reporter after update of status, resolved_at on public.reports
for each row when (old.status is distinct from new.status or old.resolved_at is distinct from new.resolved_at)
execute function public.notify_reporter();

-- Deletes the reporters of notices that were decided before `p_before`, at most `p_rows`; returns
-- how many. The reports stay.
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
    public.notify_reporter(), public.forget_notices(timestamptz, integer)
from public;
