-- Cases for moderators. The triggers below open them, moderation_cases_deciding.sql decides them,
-- and administrators read them; people read their own through a procedure.
revoke all on public.moderation_cases from anon, authenticated, service_role;
grant select on public.moderation_cases to authenticated;
grant all on public.moderation_cases to service_role;

drop policy if exists "administrators see every case" on public.moderation_cases;
create policy "administrators see every case" on public.moderation_cases
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.moderation_cases;
create policy "the service does everything" on public.moderation_cases
for all to service_role using (true) with check (true);

-- Opens a case about a review, or about the listing. An open case stays as it is; it is locked, so
-- that nobody decides it without the addition.
create or replace function public.open_case(
    p_kind text, p_server_id uuid, p_review_id uuid default null, p_before jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform from public.moderation_cases
    where kind = p_kind and subject_id = coalesce(p_review_id, p_server_id) and decision is null
    for share;
    if found then
        return;
    end if;
    insert into public.moderation_cases (kind, subject_id, server_id, review_id, person_id, label, before)
    select
        p_kind, coalesce(r.id, s.id), s.id, r.id, case when p_review_id is null then s.owner_id else r.user_id end,
        left(public.plain_text(s.name), 300), p_before
    from public.servers as s
    left join public.reviews as r on r.id = p_review_id
    where s.id = p_server_id
    on conflict (kind, subject_id) where decision is null do nothing;
end
$$;

-- Settles the open case about a subject that was decided elsewhere. An approval is emailed to the
-- owner; other settled cases are not.
create or replace function public.settle_cases(p_kind text, p_subject_id uuid, p_decision text default 'settled')
returns void
language plpgsql security definer set search_path = ''
as $$
begin
    update public.moderation_cases
    set
        decision = p_decision, decided_at = now(),
        told_at = case when p_decision = 'settled' then now() end,
        decided_by = (select id from public.profiles where id = auth.uid())
    where kind = p_kind and subject_id = p_subject_id and decision is null;
end
$$;

-- Records a decision about a listing that was made outside of a case. A refusal or suspension
-- decides the pending case, or creates a decided one, so that the owner gets an email and can
-- appeal. A restored listing's suspensions count as taken back.
create or replace function public.record_server_decision(p_server public.servers, p_decision text, p_words text)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_decision constant text := case p_decision when 'refuse' then 'refused' else 'disabled' end;
begin
    if p_decision = 'restore' then
        update public.moderation_cases
        set taken_back_at = now(), taken_back_by = (select id from public.profiles where id = auth.uid())
        where server_id = (p_server).id and decision = 'disabled' and taken_back_at is null;
    end if;
    if p_decision not in ('refuse', 'suspend') then
        return;
    end if;
    update public.moderation_cases
    set
        decision = v_decision, reason = 'other', statement = p_words, decided_at = now(),
        decided_by = (select id from public.profiles where id = auth.uid())
    where kind = 'server' and subject_id = (p_server).id and decision is null;
    if not found then
        insert into public.moderation_cases (
            kind, subject_id, server_id, person_id, label, decision, reason, statement, decided_at, decided_by
        )
        values (
            'server', (p_server).id, (p_server).id, (p_server).owner_id,
            left(public.plain_text((p_server).name), 300), v_decision, 'other', p_words, now(),
            (select id from public.profiles where id = auth.uid())
        );
    end if;
end
$$;

-- The columns of a listing that moderators review.
create or replace function public.shown_of_server(p_server public.servers) returns jsonb
language sql immutable set search_path = ''
as $$
    select jsonb_build_object(
        'name', (p_server).name, 'description', (p_server).description, 'website_url', (p_server).website_url,
        'discord_url', (p_server).discord_url, 'video_url', (p_server).video_url,
        'logo_image_url', (p_server).logo_image_url, 'banner_image_url', (p_server).banner_image_url,
        'description_image_url', (p_server).description_image_url, 'backdrop_url', (p_server).backdrop_url
    )
$$;

-- Opens a case for a new listing that is not approved, and for a refused one that its owner has
-- changed. A change to an approved listing opens a case with the previous values.
create or replace function public.open_server_case() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'INSERT' then
        if not new.is_approved then
            perform public.open_case('server', new.id);
        end if;
    elsif new.is_approved and not old.is_approved then
        perform public.settle_cases('server', new.id, 'approved');
    elsif public.is_ordinary_caller() and public.shown_of_server(old) <> public.shown_of_server(new) then
        perform public.open_case(
            case when new.is_approved then 'edit' else 'server' end, new.id, null,
            case when new.is_approved then public.shown_of_server(old) end
        );
    end if;
    return null;
end
$$;

drop trigger if exists servers_open_case on public.servers;
create trigger servers_open_case after insert or update of
name, description, website_url, discord_url, video_url, logo_image_url, banner_image_url, description_image_url,
backdrop_url, is_approved
on public.servers
for each row execute function public.open_server_case();

-- Reviews that the service writes open no case.
create or replace function public.open_review_case() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op = 'UPDATE' and new.is_hidden then
        perform public.settle_cases('review', new.id);
    elsif
        not public.is_trusted_caller() and not new.is_hidden
        and (tg_op = 'INSERT' or old.comment <> new.comment)
    then
        perform public.open_case('review', new.server_id, new.id);
    end if;
    return null;
end
$$;

drop trigger if exists reviews_open_case on public.reviews;
create trigger reviews_open_case after insert or update of comment, is_hidden on public.reviews
for each row execute function public.open_review_case();

create or replace function public.open_report_case() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.open_case(
        'report',
        coalesce((select server_id from public.reviews where id = new.comment_id), new.server_id),
        new.comment_id
    );
    return null;
end
$$;

drop trigger if exists reports_open_case on public.reports;
create trigger reports_open_case after insert on public.reports
for each row when (new.status = 'pending') execute function public.open_report_case();

-- Resolving the last pending report about a subject settles its case.
create or replace function public.close_report_case() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if not exists (
        select from public.reports as r
        where
            r.status = 'pending' and r.comment_id is not distinct from new.comment_id
            and (new.comment_id is not null or r.server_id = new.server_id)
    ) then
        perform public.settle_cases('report', coalesce(new.comment_id, new.server_id));
    end if;
    return null;
end
$$;

drop trigger if exists reports_close_case on public.reports;
create trigger reports_close_case after update of status on public.reports
for each row when (old.status = 'pending' and new.status <> 'pending') execute function public.close_report_case();

-- Deletes a pending case whose subject was deleted.
create or replace function public.drop_empty_case() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    delete from public.moderation_cases where id = new.id;
    return null;
end
$$;

drop trigger if exists moderation_cases_drop_empty on public.moderation_cases;
create trigger moderation_cases_drop_empty after update of server_id, review_id on public.moderation_cases
for each row when (
    new.decision is null and new.kind <> 'appeal'
    and (new.server_id is null or (old.review_id is not null and new.review_id is null))
) execute function public.drop_empty_case();

revoke execute on function
    public.open_case(text, uuid, uuid, jsonb), public.settle_cases(text, uuid, text),
    public.record_server_decision(public.servers, text, text), public.shown_of_server(public.servers), public.open_server_case(), public.open_review_case(),
    public.open_report_case(), public.close_report_case(), public.drop_empty_case()
from public;
