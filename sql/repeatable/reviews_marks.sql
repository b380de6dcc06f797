-- If a moderator hid a review, another review of the same listing by the same author is hidden,
-- too.

create or replace function public.mark_review(p_review public.reviews) returns void
language sql security definer set search_path = ''
as $$
    insert into public.moderation_marks (
        decision, subject_id, server_id, account_id, email_hash, label, decided_by
    )
    select
        'review_hidden', (p_review).id, (p_review).server_id, (p_review).user_id,
        (select public.email_hash(email) from public.profiles where id = (p_review).user_id),
        left(public.plain_text((p_review).comment), 200),
        (select id from public.profiles where id = auth.uid())
    on conflict (decision, subject_id, coalesce(name_key, ''), coalesce(address_key, '')) do nothing
$$;

create or replace function public.follow_hidden_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if new.is_hidden then
        perform public.mark_review(new);
    else
        delete from public.moderation_marks
        where
            decision = 'review_hidden'
            and (subject_id = new.id or (server_id = new.server_id and account_id = new.user_id));
    end if;
    return null;
end
$$;

drop trigger if exists reviews_follow_hidden on public.reviews;
create trigger reviews_follow_hidden after update of is_hidden on public.reviews
for each row when (old.is_hidden <> new.is_hidden) execute function public.follow_hidden_review();

create or replace function public.hide_marked_review() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.is_hidden := new.is_hidden or exists (
        select from public.moderation_marks
        where
            decision = 'review_hidden' and server_id = new.server_id
            and (
                account_id = new.user_id
                or email_hash = (select public.email_hash(email) from public.profiles where id = new.user_id)
            )
    );
    return new;
end
$$;

drop trigger if exists reviews_hide_marked on public.reviews;
create trigger reviews_hide_marked before insert on public.reviews
for each row execute function public.hide_marked_review();

-- Create marks of decisions that are older than the marks.
select public.mark_review(r)
from public.reviews as r
where
    r.is_hidden
    and not exists (
        select from public.moderation_marks where decision = 'review_hidden' and subject_id = r.id
    );

revoke execute on function
    public.mark_review(public.reviews), public.follow_hidden_review(), public.hide_marked_review()
from public;
