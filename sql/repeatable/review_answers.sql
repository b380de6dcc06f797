-- Answers of owners to reviews of their listings, one for each review. Everybody else reads them
-- with the review, in reviews_public.
revoke all on public.review_answers from anon, authenticated, service_role;
grant select, delete on public.review_answers to authenticated;
grant insert (review_id, comment), update (comment) on public.review_answers to authenticated;
grant all on public.review_answers to service_role;

drop policy if exists "people see the answers to their reviews" on public.review_answers;
create policy "people see the answers to their reviews" on public.review_answers
for select to authenticated
using (review_id in (select id from public.reviews where user_id = (select auth.uid())));

drop policy if exists "owners see the answers of their listings" on public.review_answers;
create policy "owners see the answers of their listings" on public.review_answers
for select to authenticated using (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "administrators see every answer" on public.review_answers;
create policy "administrators see every answer" on public.review_answers
for select to authenticated using ((select public.is_admin()));

drop policy if exists "owners answer reviews of their listings" on public.review_answers;
create policy "owners answer reviews of their listings" on public.review_answers
for insert to authenticated
with check ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "owners edit their answers" on public.review_answers;
create policy "owners edit their answers" on public.review_answers
for update to authenticated
using ((select public.may_contribute()) and server_id = any ((select public.own_server_ids())::uuid[]))
with check (server_id = any ((select public.own_server_ids())::uuid[]));

drop policy if exists "owners delete their answers" on public.review_answers;
create policy "owners delete their answers" on public.review_answers
for delete to authenticated
using (
    server_id = any ((select public.own_server_ids())::uuid[]) and (select public.has_shown_second_factor())
);

drop policy if exists "administrators delete every answer" on public.review_answers;
create policy "administrators delete every answer" on public.review_answers
for delete to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.review_answers;
create policy "the service does everything" on public.review_answers
for all to service_role using (true) with check (true);

drop trigger if exists review_answers_touch on public.review_answers;
create trigger review_answers_touch before update of comment on public.review_answers
for each row execute function public.touch_updated_at();

-- Sets the answer's listing to that of the review. For a hidden review, or one's own, it is null,
-- which the policies refuse.
create or replace function public.place_review_answer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    new.server_id := (
        select r.server_id from public.reviews as r
        where
            r.id = new.review_id
            and (public.is_trusted_caller() or (not r.is_hidden and r.user_id is distinct from auth.uid()))
    );
    return new;
end
$$;

drop trigger if exists review_answers_place on public.review_answers;
create trigger review_answers_place before insert on public.review_answers
for each row execute function public.place_review_answer();

-- Cleans an answer like a review. The length limit applies to the text without escapes.
create or replace function public.clean_review_answer() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if char_length(new.comment) <= 6000 then
        new.comment := btrim(public.clean_text(new.comment), e' \t\n');
    end if;
    if char_length(public.plain_text(new.comment)) not between 1 and 1000 then
        raise exception 'An answer has 1 to 1000 characters'
        using errcode = '23514', constraint = 'review_answers_comment_length';
    end if;
    return new;
end
$$;

drop trigger if exists review_answers_clean on public.review_answers;
create trigger review_answers_clean before insert or update of comment on public.review_answers
for each row execute function public.clean_review_answer();

revoke execute on function public.place_review_answer(), public.clean_review_answer() from public;
