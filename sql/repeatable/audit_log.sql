-- The administrators' actions, recorded by triggers on the tables they can change, and by two
-- procedures whose actions change no row. Nobody can change an entry; entries are deleted at the
-- age at which security events are (prune_security_events).
revoke all on public.audit_log from anon, authenticated, service_role;
grant select on public.audit_log to authenticated, service_role;

drop policy if exists "administrators read the audit log" on public.audit_log;
create policy "administrators read the audit log" on public.audit_log
for select to authenticated using ((select public.is_admin()));

drop policy if exists "the service reads the audit log" on public.audit_log;
create policy "the service reads the audit log" on public.audit_log
for select to service_role using (true);

-- Refuses changes and truncation, and the deletion of entries of the last day, also for the
-- database's owner, whom no grant limits.
create or replace function public.keep_audit_log() returns trigger
language plpgsql set search_path = ''
as $$
begin
    raise exception 'The audit log is only added to' using errcode = '42501';
end
$$;

drop trigger if exists audit_log_keep on public.audit_log;
create trigger audit_log_keep before update or truncate on public.audit_log
for each statement execute function public.keep_audit_log();

drop trigger if exists audit_log_keep_recent on public.audit_log;
create trigger audit_log_keep_recent before delete on public.audit_log
for each row when (old.created_at > now() - interval '1 day') execute function public.keep_audit_log();

-- A row as the log stores it. Of a secret, an email address or a hash the log says only whether it
-- exists and when it changed, never its value. Counters and bookkeeping columns are left out.
create or replace function public.audited_row(p_row jsonb) returns jsonb
language sql immutable strict set search_path = ''
as $$
    select coalesce(jsonb_object_agg(
        key,
        case
            when key ~ '(secret|token|hash|password|public_key|email)' and key !~ '_until$' then '"***"'::jsonb
            else value
        end
    ), '{}')
    from jsonb_each(p_row)
    where
        value <> 'null'
        and key not in (
            'updated_at', 'updated_by', 'search_name', 'folded', 'name_key', 'address_key', 'total_votes',
            'thinned_votes', 'review_count', 'rating_sum', 'warnings', 'session_id', 'session_url', 'charge_id',
            'look_at', 'looks', 'refund_at', 'refund_attempts', 'problem', 'backlink_found', 'backlink_fault',
            'backlink_checked_at', 'backlink_asked_at', 'backlink_leased_until'
        )
$$;

-- The account that a row belongs to; null if it belongs to the site.
create or replace function public.audited_person(p_kind text, p_row jsonb) returns uuid
language sql stable set search_path = ''
as $$
    select case
        when p_kind = 'profiles' then p_row ->> 'id'
        when p_kind = 'servers' then p_row ->> 'owner_id'
        when p_kind in ('reviews', 'user_warnings', 'payments') then p_row ->> 'user_id'
        when p_kind = 'moderation_cases' then p_row ->> 'person_id'
        when p_kind = 'reports' then p_row ->> 'reporter_id'
        when p_kind = 'tag_proposals' then p_row ->> 'proposed_by'
        when p_kind = 'arcade_spots' then p_row ->> 'booked_by'
        when p_kind = 'moderation_marks' then p_row ->> 'account_id'
        else (select s.owner_id::text from public.servers as s where s.id = (p_row ->> 'server_id')::uuid)
    end::uuid
$$;

-- The caller of this function must have checked that the person is an administrator.
create or replace function public.write_audit_entry(
    p_action text, p_kind text, p_row jsonb, p_before jsonb, p_after jsonb
) returns void
language sql security definer set search_path = ''
as $$
    insert into public.audit_log (
        actor_id, actor_name, action, subject_kind, subject_id, subject_label, server_id, person_id, person_name,
        before, after
    )
    select
        auth.uid(),
        coalesce((select p.username from public.profiles as p where p.id = auth.uid()), '?'),
        p_action, p_kind,
        coalesce(
            p_row ->> 'id', p_row ->> 'setting_key', p_row ->> 'key', p_row ->> 'min_days', p_row ->> 'review_id',
            p_row ->> 'server_id'
        ),
        left(coalesce(
            public.plain_text(p_row ->> 'name'), p_row ->> 'username', p_row ->> 'setting_key', p_row ->> 'pattern',
            p_row ->> 'network', p_row ->> 'label', p_row ->> 'name_fr', p_row ->> 'title_fr',
            (select public.plain_text(s.name) from public.servers as s where s.id = known.server_id)
        ), 200),
        known.server_id, known.person_id,
        coalesce(
            (select p.username from public.profiles as p where p.id = known.person_id),
            case when p_kind = 'profiles' then p_row ->> 'username' end
        ),
        p_before, p_after
    from (
        select
            (case when p_kind = 'servers' then p_row ->> 'id' else p_row ->> 'server_id' end)::uuid as server_id,
            public.audited_person(p_kind, p_row) as person_id
    ) as known
$$;

-- Records a change to a row that belongs to another person or to the site, and a change to a column
-- in the trigger's arguments, which owners cannot change themselves: approving one's own listing is
-- an administrator's action.
create or replace function public.audit_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
    v_old constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    v_new constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    v_row constant jsonb := coalesce(v_old, v_new);
    v_before jsonb := public.audited_row(v_old);
    v_after jsonb := public.audited_row(v_new);
    v_changed text[];
begin
    -- A person who gives up their own role was an administrator before.
    if
        not public.is_admin()
        and not coalesce(
            tg_table_name = 'profiles' and v_old ->> 'id' = auth.uid()::text and v_old ->> 'role' <> 'user', false
        )
    then
        return null;
    end if;
    if tg_op = 'UPDATE' then
        v_changed := array(
            select o.key from jsonb_each(v_old) as o
            where v_new -> o.key <> o.value and (v_before ? o.key or v_after ? o.key)
        );
        if cardinality(v_changed) = 0 then
            return null;
        end if;
        v_before := (select jsonb_object_agg(changed, v_before -> changed) from unnest(v_changed) as changed);
        v_after := (select jsonb_object_agg(changed, v_after -> changed) from unnest(v_changed) as changed);
    end if;
    if
        public.audited_person(tg_table_name, v_row) = auth.uid()
        and public.audited_person(tg_table_name, coalesce(v_new, v_row)) = auth.uid()
        and not coalesce(v_changed && tg_argv, false)
    then
        return null;
    end if;
    perform public.write_audit_entry(
        case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end,
        tg_table_name, v_row, v_before, v_after
    );
    return null;
end
$$;

-- Consequences of an action (cascading deletes, counters) are not recorded: the triggers look only
-- at the statement itself. Votes change profiles often, so only these columns are watched;
-- delete_user records the deletion of an account.
do $$
declare
    v_table record;
begin
    for v_table in
        select * from (values
            ('arcade_spots', 'insert or update or delete', '{status}'::text[]),
            ('competitive_events', 'insert or update or delete', '{}'),
            ('event_types', 'insert or update or delete', '{}'),
            ('games', 'insert or update or delete', '{}'),
            ('image_runs', 'insert or update of is_stopped', '{}'),
            ('ip_bans', 'insert or update or delete', '{}'),
            ('moderation_cases', 'update of decision, taken_back_at', '{decision,taken_back_at}'),
            ('moderation_marks', 'delete', '{}'),
            ('partners', 'insert or update or delete', '{}'),
            ('payments', 'insert or update or delete', '{refund_cents,refund_reason}'),
            ('prestige_pricing', 'insert or update or delete', '{}'),
            ('profiles', 'update of username, role, is_banned, ban_reason', '{role,is_banned}'),
            ('refused_nicknames', 'insert or update or delete', '{}'),
            ('reports', 'insert or update or delete', '{status}'),
            ('review_answers', 'insert or update or delete', '{}'),
            ('reviews', 'insert or update or delete', '{is_hidden}'),
            ('server_api_tokens', 'insert or update', '{}'),
            ('server_events', 'insert or update or delete', '{}'),
            ('server_tags', 'insert or update or delete', '{}'),
            (
                'servers', 'insert or update or delete',
                '{owner_id,is_approved,hidden_reason,is_sponsored,sponsor_tier,prestige_expires_at}'
            ),
            ('site_settings', 'insert or update or delete', '{}'),
            ('tag_proposals', 'insert or update or delete', '{status}'),
            ('user_warnings', 'insert or update or delete', '{is_active,expires_at}'),
            ('votifier_configs', 'insert or update or delete', '{}'),
            ('webhooks', 'insert or update or delete', '{}')
        ) as tables (name, events, deeds)
    loop
        execute format('drop trigger if exists %I on public.%I', v_table.name || '_audit_log', v_table.name);
        execute format(
            'create trigger %I after %s on public.%I for each row '
            || 'when (pg_trigger_depth() = 0 and auth.uid() is not null) execute function public.audit_change(%s)',
            v_table.name || '_audit_log', v_table.events, v_table.name,
            (select string_agg(quote_literal(deed), ', ') from unnest(v_table.deeds) as deed)
        );
    end loop;
end
$$;

revoke execute on function
    public.keep_audit_log(), public.audited_row(jsonb), public.audited_person(text, jsonb),
    public.write_audit_entry(text, text, jsonb, jsonb, jsonb), public.audit_change()
from public;
