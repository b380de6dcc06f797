revoke all on public.tag_proposals from anon, authenticated, service_role;
grant select on public.tag_proposals to authenticated;
grant insert (name, description, color, proposed_by) on public.tag_proposals to authenticated;
grant all on public.tag_proposals to service_role;

drop policy if exists "people see their own proposals" on public.tag_proposals;
create policy "people see their own proposals" on public.tag_proposals
for select to authenticated using (proposed_by = (select auth.uid()));

drop policy if exists "administrators see every proposal" on public.tag_proposals;
create policy "administrators see every proposal" on public.tag_proposals
for select to authenticated using ((select public.is_admin()));

drop policy if exists "people propose tags" on public.tag_proposals;
create policy "people propose tags" on public.tag_proposals
for insert to authenticated
with check (proposed_by = (select auth.uid()) and (select public.may_contribute()));

drop policy if exists "the service does everything" on public.tag_proposals;
create policy "the service does everything" on public.tag_proposals
for all to service_role using (true) with check (true);

-- Limits a person's pending proposals, so that nobody can fill the administrators' queue. The
-- profile is locked, so that concurrent proposals are counted one after the other; rows that row
-- security refuses are not counted.
create or replace function public.limit_tag_proposals() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
    if public.is_ordinary_caller() and new.proposed_by = auth.uid() and public.may_contribute() then
        perform from public.profiles where id = new.proposed_by for no key update;
        perform public.refuse_over_limit(
            (select count(*) from public.tag_proposals where proposed_by = new.proposed_by and status = 'pending'),
            10, 'tag_proposal_limit_reached'
        );
    end if;
    return new;
end
$$;

drop trigger if exists tag_proposals_limit on public.tag_proposals;
create trigger tag_proposals_limit before insert on public.tag_proposals
for each row execute function public.limit_tag_proposals();

-- Locks a pending proposal; refuses one that is decided.
create or replace function public.pending_tag_proposal(p_proposal_id uuid) returns public.tag_proposals
language plpgsql security definer set search_path = ''
as $$
declare
    v_proposal public.tag_proposals;
begin
    perform public.require_admin();
    select * into v_proposal from public.tag_proposals where id = p_proposal_id for update;
    if not found then
        raise exception 'Proposal not found' using errcode = 'PT404';
    elsif v_proposal.status <> 'pending' then
        raise exception 'This proposal was decided before' using errcode = '22023';
    end if;
    return v_proposal;
end
$$;

-- Approves a proposal and creates its tag, with the proposal's texts in each of the three languages
-- for which the administrator gives none.
create or replace function public.approve_tag_proposal(
    p_proposal_id uuid, p_admin_notes text default null, p_name text default null,
    p_name_fr text default null, p_name_en text default null, p_name_es text default null,
    p_description_fr text default null, p_description_en text default null, p_description_es text default null,
    p_color text default null
)
returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
    v_proposal public.tag_proposals := public.pending_tag_proposal(p_proposal_id);
    v_name text := coalesce(nullif(btrim(p_name), ''), btrim(v_proposal.name));
    v_description text := coalesce(nullif(btrim(p_description_fr), ''), v_proposal.description);
    v_tag_id uuid;
begin
    insert into public.server_tags (
        name, description, color, name_fr, name_en, name_es, description_fr, description_en, description_es
    )
    values (
        v_name, v_description, coalesce(p_color, v_proposal.color),
        coalesce(nullif(btrim(p_name_fr), ''), v_name),
        coalesce(nullif(btrim(p_name_en), ''), v_name),
        coalesce(nullif(btrim(p_name_es), ''), v_name),
        v_description,
        coalesce(nullif(btrim(p_description_en), ''), v_proposal.description),
        coalesce(nullif(btrim(p_description_es), ''), v_proposal.description)
    )
    returning id into v_tag_id;
    update public.tag_proposals
    set
        status = 'approved',
        admin_notes = p_admin_notes,
        reviewed_by = auth.uid(),
        reviewed_at = now(),
        tag_id = v_tag_id
    where id = p_proposal_id;
    return v_tag_id;
end
$$;

create or replace function public.reject_tag_proposal(p_proposal_id uuid, p_admin_notes text default null)
returns void
language plpgsql security definer set search_path = ''
as $$
begin
    perform public.pending_tag_proposal(p_proposal_id);
    update public.tag_proposals
    set
        status = 'rejected',
        admin_notes = p_admin_notes,
        reviewed_by = auth.uid(),
        reviewed_at = now()
    where id = p_proposal_id;
end
$$;

revoke execute on function
    public.limit_tag_proposals(), public.pending_tag_proposal(uuid),
    public.approve_tag_proposal(uuid, text, text, text, text, text, text, text, text, text),
    public.reject_tag_proposal(uuid, text)
from public;
grant execute on function
    public.approve_tag_proposal(uuid, text, text, text, text, text, text, text, text, text),
    public.reject_tag_proposal(uuid, text)
to authenticated, service_role;
