-- Takes decisions back.

-- Makes an approved or refused listing wait for approval again.
create or replace function public.put_server_in_waiting(p_server_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_server public.servers;
begin
    update public.servers set is_approved = false, refused_at = null, moderation_reason = null
    where id = p_server_id
    returning * into v_server;
    perform public.lift_server_marks(v_server, 'server_refused');
end
$$;

-- Undoes a decision's effects, as far as its subject is still as the decision left it. A successful
-- appeal against a refusal approves the listing.
create or replace function public.undo_effects(p_case public.moderation_cases, p_is_appeal boolean default true)
returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_server public.servers;
begin
    if (p_case).sanction = 'warning' and exists (
        select from public.user_warnings where id = (p_case).warning_id and is_active
    ) then
        perform public.withdraw_warning((p_case).warning_id);
    elsif (p_case).sanction = 'ban' and exists (
        select from public.profiles where id = (p_case).person_id and is_banned
    ) then
        perform public.unban_user((p_case).person_id);
    end if;
    if (p_case).decision = 'hidden' and exists (
        select from public.reviews where id = (p_case).review_id and is_hidden
    ) then
        perform public.set_review_hidden((p_case).review_id, false);
    end if;
    select * into v_server from public.servers where id = (p_case).server_id for update;
    if not found then
        return;
    elsif (p_case).decision = 'disabled' and public.is_disabled(v_server) then
        perform public.apply_server_decision(v_server.id, 'restore', null);
    elsif (p_case).decision = 'reverted' and public.shown_of_server(v_server) = (p_case).before then
        perform public.put_server_back(v_server.id, (p_case).after);
    elsif (p_case).kind = 'server' and v_server.is_approved = ((p_case).decision = 'approved') then
        if (p_case).decision = 'refused' and p_is_appeal then
            perform public.apply_server_decision(v_server.id, 'approve', null);
        elsif (p_case).decision in ('approved', 'refused') then
            perform public.put_server_in_waiting(v_server.id);
        end if;
    end if;
end
$$;

-- Takes a decision back: undoes its effects and opens a case about its subject again. A pending
-- appeal against it is closed as successful.
create or replace function public.undo_decision(p_case_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
declare
    v_case constant public.moderation_cases := public.lock_case(p_case_id);
begin
    if v_case.decision is null or v_case.decision = 'settled' or v_case.kind = 'appeal' then
        raise exception 'There is no decision to take back' using errcode = '22023';
    elsif v_case.taken_back_at is not null then
        raise exception 'The decision is taken back'
        using errcode = 'P0001', detail = 'case_taken_back', hint = coalesce(
            (select username from public.profiles where id = v_case.taken_back_by), ''
        );
    elsif v_case.sanction is not null and v_case.person_id is not null then
        perform public.require_authority_over(v_case.person_id);
    end if;
    update public.moderation_cases
    set taken_back_at = now(), taken_back_by = (select id from public.profiles where id = auth.uid())
    where id = p_case_id;
    update public.moderation_cases
    set
        decision = 'overturned', decided_at = now(), told_at = now(),
        decided_by = (select id from public.profiles where id = auth.uid())
    where appeal_of = p_case_id and decision is null;
    perform public.undo_effects(v_case, false);
    if v_case.kind = 'report' or v_case.decision = 'hidden' then
        perform public.move_reports(
            v_case, 'pending', null, case v_case.decision when 'dismissed' then 'dismissed' else 'resolved' end,
            v_case.decided_at
        );
    end if;
    if v_case.kind <> 'account' then
        insert into public.moderation_cases (
            kind, subject_id, server_id, review_id, person_id, label, before, opened_at
        )
        select
            v_case.kind, v_case.subject_id, s.id, v_case.review_id, v_case.person_id, v_case.label, v_case.before,
            v_case.opened_at
        from public.servers as s
        where
            s.id = v_case.server_id and (v_case.review_id is not null or v_case.subject_id = s.id)
            and (v_case.kind <> 'server' or not s.is_approved)
        on conflict (kind, subject_id) where decision is null do nothing;
    end if;
end
$$;

revoke execute on function
    public.put_server_in_waiting(uuid), public.undo_effects(public.moderation_cases, boolean),
    public.undo_decision(uuid)
from public;
grant execute on function public.undo_decision(uuid) to authenticated;
