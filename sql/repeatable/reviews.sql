-- Authors write and read their own reviews; everybody else reads reviews_public, which does not
-- show anonymous authors.
revoke all on public.reviews from anon, authenticated, service_role;
grant select, delete on public.reviews to authenticated;
grant insert (server_id, user_id, rating, comment, is_anonymous), update (rating, comment, is_anonymous)
on public.reviews to authenticated;
grant all on public.reviews to service_role;

drop policy if exists "people see their own reviews" on public.reviews;
create policy "people see their own reviews" on public.reviews
for select to authenticated using (user_id = (select auth.uid()));

drop policy if exists "administrators see every review" on public.reviews;
create policy "administrators see every review" on public.reviews
for select to authenticated using ((select public.is_admin()));

drop policy if exists "people review public listings of others" on public.reviews;
create policy "people review public listings of others" on public.reviews
for insert to authenticated
with check (
    user_id = (select auth.uid())
    and (select public.may_contribute())
    and exists (
        select from public.servers as s
        where s.id = server_id and s.is_approved and not s.is_hidden and s.owner_id is distinct from (select auth.uid())
    )
);

drop policy if exists "people edit their own reviews" on public.reviews;
create policy "people edit their own reviews" on public.reviews
for update to authenticated
using (user_id = (select auth.uid()) and (select public.may_contribute()))
with check (user_id = (select auth.uid()));

drop policy if exists "people delete their own reviews" on public.reviews;
create policy "people delete their own reviews" on public.reviews
for delete to authenticated
using (user_id = (select auth.uid()) and (select public.has_shown_second_factor()));

drop policy if exists "administrators delete every review" on public.reviews;
create policy "administrators delete every review" on public.reviews
for delete to authenticated using ((select public.is_admin()));

drop policy if exists "the service does everything" on public.reviews;
create policy "the service does everything" on public.reviews
for all to service_role using (true) with check (true);

drop trigger if exists reviews_touch on public.reviews;
create trigger reviews_touch before update of rating, comment, is_anonymous on public.reviews
for each row execute function public.touch_updated_at();

-- Cleans a comment like other texts. The length limit applies to the text without escapes.
create or replace function public.clean_review_comment() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if char_length(new.comment) <= 12000 then
        new.comment := btrim(public.clean_text(new.comment), e' \t\n');
    end if;
    if char_length(public.plain_text(new.comment)) not between 1 and 2000 then
        raise exception 'A comment has 1 to 2000 characters'
        using errcode = '23514', constraint = 'reviews_comment_length';
    end if;
    return new;
end
$$;

drop trigger if exists reviews_clean_comment on public.reviews;
create trigger reviews_clean_comment before insert or update of comment on public.reviews
for each row execute function public.clean_review_comment();

-- The computed column reviews.server_name: the name of the reviewed server, also while it is
-- hidden. The row in the argument may be invented, so the stored one is read.
create or replace function public.server_name(review public.reviews) returns text
language sql stable security definer set search_path = ''
as $$
    select s.name
    from public.reviews as r
    inner join public.servers as s on s.id = r.server_id
    where r.id = (review).id and (r.user_id = (select auth.uid()) or not public.is_ordinary_caller())
$$;

-- Keeps the listing's sums equal to its visible reviews.
create or replace function public.sum_reviews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if tg_op in ('UPDATE', 'DELETE') and not old.is_hidden then
        update public.servers
        set review_count = review_count - 1, rating_sum = rating_sum - old.rating
        where id = old.server_id;
    end if;
    if tg_op in ('INSERT', 'UPDATE') and not new.is_hidden then
        update public.servers
        set review_count = review_count + 1, rating_sum = rating_sum + new.rating
        where id = new.server_id;
    end if;
    return null;
end
$$;

drop trigger if exists reviews_sum on public.reviews;
create trigger reviews_sum after insert or delete or update of rating, is_hidden on public.reviews
for each row execute function public.sum_reviews();

drop view if exists public.reviews_public;
create view public.reviews_public as
select
    r.id,
    r.server_id,
    r.rating,
    r.comment,
    r.is_anonymous,
    case when not r.is_anonymous then p.username end as author_name,
    case when not r.is_anonymous then nullif(p.role, 'user') end as author_role,
    coalesce(r.user_id = auth.uid(), false) as is_mine,
    r.created_at,
    r.updated_at,
    a.comment as answer,
    a.created_at as answered_at
from public.reviews as r
inner join public.servers as s on s.id = r.server_id and s.is_approved and not s.is_hidden
left join public.profiles as p on p.id = r.user_id
left join public.review_answers as a on a.review_id = r.id
where not r.is_hidden;
revoke all on public.reviews_public from anon, authenticated, service_role;
grant select on public.reviews_public to anon, authenticated, service_role;

create trigger nobody_writes instead of insert or update or delete on public.reviews_public
for each row execute function public.refuse_writing();

create or replace function public.set_review_hidden(p_review_id uuid, p_hidden boolean) returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    update public.reviews set is_hidden = coalesce(p_hidden, true) where id = p_review_id;
    if not found then
        raise exception 'Review not found' using errcode = 'PT404';
    end if;
end
$$;

revoke execute on function
    public.clean_review_comment(), public.server_name(public.reviews), public.sum_reviews(),
    public.set_review_hidden(uuid, boolean)
from public;
grant execute on function public.server_name(public.reviews), public.set_review_hidden(uuid, boolean)
to authenticated, service_role;
