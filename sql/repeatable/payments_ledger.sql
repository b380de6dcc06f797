-- Every payment as those who run the site look through them: who paid, for what, what the provider said, which papers
-- there are. Runs with its owner's rights and shows nothing to anybody else.
drop function if exists public.search_payment_ledger(text);
drop view if exists public.payment_ledger;
create view public.payment_ledger as
select
    p.id,
    p.kind,
    p.state,
    p.provider,
    p.days,
    p.amount_cents,
    p.currency,
    p.created_at,
    p.paid_at,
    p.refund_cents,
    p.refund_reason,
    p.refund_note,
    p.refunded_cents,
    p.refunded_at,
    p.refund_failed_at,
    p.problem,
    p.disputed_at,
    -- Looked up for the rows on the page, never for those that are only counted.
    (select u.username from public.profiles as u where u.id = p.user_id) as payer,
    (select s.name from public.servers as s where s.id = p.server_id) as server_name,
    (select s.slug from public.servers as s where s.id = p.server_id) as server_slug,
    (select a.position from public.arcade_spots as a where a.id = p.spot_id) as spot_position,
    (select a.start_date from public.arcade_spots as a where a.id = p.spot_id) as start_date,
    -- The last day that was ordered; a withdrawal ends the spot, not the order.
    (select a.start_date + p.days - 1 from public.arcade_spots as a where a.id = p.spot_id) as end_date,
    -- Money that does not find its way back by itself, and a payer who asked their bank instead.
    (p.state = 'to_refund' and p.problem is not null)
    or (p.state in ('paid', 'to_refund') and p.refund_failed_at is not null)
    or (p.state <> 'refunded' and p.disputed_at is not null) as wants_person,
    array(
        select r.number from public.payment_receipts as r
        where r.payment_id = p.id
        order by r.number
    ) as receipts
from public.payments as p
where (select public.is_admin());
revoke all on public.payment_ledger from anon, authenticated, service_role;
grant select on public.payment_ledger to authenticated;
-- A view is refused by what it can do before anybody's rights are looked at; this way it is by the rights.
create trigger nobody_writes instead of insert or update or delete on public.payment_ledger
for each row execute function public.refuse_writing();

-- The payments that a text is found with: in the name or address of who paid, in the name of the server, in what the
-- provider calls them.
create function public.search_payment_ledger(p_text text) returns setof public.payment_ledger
language plpgsql stable security definer set search_path = ''
-- A plan for the text at hand: what is good for a rare one is bad for a common one.
set plan_cache_mode = force_custom_plan
as $$
declare
    v_like constant text := '%' || regexp_replace(p_text, '([\\%_])', '\\\1', 'g') || '%';
begin
    perform public.require_admin();
    return query
    select ledger.*
    from public.payment_ledger as ledger
    where ledger.id in (
        select p.id from public.payments as p
        where p.user_id in (select u.id from public.profiles as u where u.username ilike v_like)
        union
        select p.id from public.payments as p
        where p.user_id in (select u.id from public.profiles as u where u.email ilike v_like)
        union
        select p.id from public.payments as p
        where p.server_id in (select s.id from public.servers as s where s.name ilike v_like)
        union
        select p.id from public.payments as p
        where p.session_id ilike v_like or p.charge_id ilike v_like or p.id::text ilike v_like
    );
end
$$;

-- What was taken and given back for orders of a span of time, by kind; and how many want a person.
create or replace function public.get_payment_totals(
    p_from timestamptz default null, p_until timestamptz default null
) returns table (
    kind text, orders integer, counted integer, taken_cents bigint, refunded_cents bigint, to_refund_cents bigint,
    troubled integer
)
language plpgsql stable security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    return query
    select
        kinds.kind,
        count(p.id)::integer,
        (count(p.id) filter (where p.state = 'paid'))::integer,
        coalesce(sum(p.amount_cents) filter (where p.paid_at is not null), 0)::bigint,
        coalesce(sum(p.refunded_cents), 0)::bigint,
        coalesce(sum(p.refund_cents) filter (where p.state = 'to_refund'), 0)::bigint,
        (count(p.id) filter (
            where (p.state = 'to_refund' and p.problem is not null)
                or (p.state in ('paid', 'to_refund') and p.refund_failed_at is not null)
                or (p.state <> 'refunded' and p.disputed_at is not null)
        ))::integer
    from unnest(array['prestige', 'arcade']) as kinds (kind)
    left join public.payments as p
        on p.kind = kinds.kind
        and (p_from is null or p.created_at >= p_from)
        and (p_until is null or p.created_at < p_until)
    group by kinds.kind
    order by kinds.kind desc;
end
$$;

revoke execute on function
    public.search_payment_ledger(text), public.get_payment_totals(timestamptz, timestamptz)
from public;
grant execute on function
    public.search_payment_ledger(text), public.get_payment_totals(timestamptz, timestamptz)
to authenticated;
