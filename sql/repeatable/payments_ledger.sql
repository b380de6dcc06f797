-- All payments as administrators see them: payer, purchase, the provider's messages, receipts. Runs
-- with its owner's rights and has no rows for anybody else.
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
    -- Subqueries run for the rows on a page only, not for rows that are only counted.
    (select u.username from public.profiles as u where u.id = p.user_id) as payer,
    (select s.name from public.servers as s where s.id = p.server_id) as server_name,
    (select s.slug from public.servers as s where s.id = p.server_id) as server_slug,
    (select a.position from public.arcade_spots as a where a.id = p.spot_id) as spot_position,
    (select a.start_date from public.arcade_spots as a where a.id = p.spot_id) as start_date,
    -- The last ordered day; a withdrawal shortens the spot, not the order.
    (select a.start_date + p.days - 1 from public.arcade_spots as a where a.id = p.spot_id) as end_date,
    -- Refunds that need a person, and disputes that a payer opened at their bank.
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
-- With this trigger a write is refused for want of a privilege; PostgreSQL's own error for such a
-- view comes before the check of privileges.
create trigger nobody_writes instead of insert or update or delete on public.payment_ledger
for each row execute function public.refuse_writing();

-- Payments that match a text: by the name or the email address of the payer, the name of the
-- server, or the provider's ids.
create function public.search_payment_ledger(p_text text) returns setof public.payment_ledger
language plpgsql stable security definer set search_path = ''
-- Each text gets its own plan: a good plan for a rare text is bad for a common one.
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

-- The sums taken and refunded for orders of a period, by kind, and the number of payments that need
-- a person.
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
