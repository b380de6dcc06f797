-- Emails about decisions. They are due a few minutes later, so that a decision that is taken back
-- at once sends none. `told_at` and `told_back_at` are set right before the email is sent.

create or replace function public.notify_of_decision() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.taken_back_at is not null and old.taken_back_at is null then
        perform public.withdraw_mail('decision', new.id);
        if new.told_at is not null and new.told_back_at is null then
            perform public.enqueue_mail(
                'decision_taken_back', new.id, '{}', new.taken_back_at, interval '3 minutes'
            );
        end if;
    elsif
        new.decision is not null and old.decision is null and new.told_at is null and new.taken_back_at is null
        -- A decision that changes nothing for a person sends no email.
        and (new.reason is not null or new.kind = 'appeal' or (new.kind = 'server' and new.decision = 'approved'))
    then
        perform public.enqueue_mail('decision', new.id, '{}', new.decided_at, interval '3 minutes');
    end if;
    return null;
end
$$;

drop trigger if exists moderation_cases_notify on public.moderation_cases;
create trigger moderation_cases_notify after insert or update of decision, taken_back_at on public.moderation_cases
for each row execute function public.notify_of_decision();

revoke execute on function public.notify_of_decision() from public;
