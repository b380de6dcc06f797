-- The information that moderators see with a case.

-- Accounts that voted for the same listing from the same address as this account, or have a session
-- from the same address. The addresses are not returned.
create or replace function public.accounts_of_same_address(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
    select coalesce(jsonb_agg(to_jsonb(same) order by same.created_at), '[]')
    from (
        select p.id, p.username, p.is_banned, p.created_at
        from public.profiles as p
        where p.id <> p_user_id and p.id in (
            select other.user_id
            from (
                select distinct v.server_id, v.ip_hash
                from (
                    select server_id, ip_hash from public.votes
                    where user_id = p_user_id and ip_hash is not null
                    order by voted_at desc
                    limit 200
                ) as v
            ) as own
            inner join public.votes as other on other.server_id = own.server_id and other.ip_hash = own.ip_hash
            union
            select other.user_id
            from auth.sessions as own
            inner join auth.sessions as other on other.ip = own.ip
            where own.user_id = p_user_id
        )
        order by p.created_at
        limit 20
    ) as same
$$;

-- The information about a person that moderators need.
create or replace function public.get_moderated_person(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
    perform public.require_admin();
    return (
        select jsonb_build_object(
            'id', p.id, 'username', p.username, 'role', p.role, 'language', coalesce(p.language, 'fr'),
            'created_at', p.created_at, 'total_votes', p.total_votes, 'is_banned', p.is_banned,
            'banned_until', p.banned_until,
            'servers', (select count(*) from public.servers as s where s.owner_id = p.id),
            'reviews', (select count(*) from public.reviews as r where r.user_id = p.id),
            'warnings', (
                select coalesce(jsonb_agg(jsonb_build_object(
                    'id', w.id, 'reason', w.reason, 'created_at', w.created_at, 'expires_at', w.expires_at,
                    'is_active', w.is_active
                ) order by w.created_at desc), '[]')
                from public.user_warnings as w where w.user_id = p.id
            ),
            'decisions', (
                select coalesce(jsonb_agg(to_jsonb(d) order by d.decided_at desc), '[]')
                from (
                    select c.id, c.kind, c.label, c.decision, c.sanction, c.reason, c.decided_at, c.taken_back_at
                    from public.moderation_cases as c
                    where c.person_id = p.id and c.decision is not null
                    order by c.decided_at desc
                    limit 20
                ) as d
            ),
            'same_address', public.accounts_of_same_address(p.id)
        )
        from public.profiles as p where p.id = p_user_id
    );
end
$$;

-- A case with its subject, its person and its reports.
create or replace function public.get_moderation_case(p_case_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_case public.moderation_cases;
begin
    perform public.require_admin();
    select * into v_case from public.moderation_cases where id = p_case_id;
    if not found then
        raise exception 'Case not found' using errcode = 'PT404';
    end if;
    return jsonb_build_object(
        'case', to_jsonb(v_case) || jsonb_build_object(
            'decided_by_name', (select username from public.profiles where id = v_case.decided_by)
        ),
        'server', (
            select public.shown_of_server(s) || jsonb_build_object(
                'id', s.id, 'slug', s.slug, 'game', g.name, 'is_approved', s.is_approved, 'is_hidden', s.is_hidden,
                'tags', s.tags, 'created_at', s.created_at, 'owner', p.username
            )
            from public.servers as s
            inner join public.games as g on g.id = s.game_id
            left join public.profiles as p on p.id = s.owner_id
            where s.id = v_case.server_id
        ),
        'review', (
            select jsonb_build_object(
                'id', r.id, 'rating', r.rating, 'comment', r.comment, 'is_hidden', r.is_hidden,
                'is_anonymous', r.is_anonymous, 'created_at', r.created_at
            )
            from public.reviews as r where r.id = v_case.review_id
        ),
        'reports', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'id', r.id, 'reason', r.reason, 'custom_reason', r.custom_reason, 'status', r.status,
                'created_at', r.created_at, 'reporter', p.username,
                -- The reporter without an account.
                'notice', case when n.report_id is not null then jsonb_build_object(
                    'name', n.name, 'email', n.email, 'explanation', n.explanation
                ) end
            ) order by r.created_at desc), '[]')
            from public.reports as r
            left join public.report_notices as n on n.report_id = r.id
            left join public.profiles as p on p.id = r.reporter_id
            where case when v_case.review_id is null
                then r.server_id = v_case.server_id and r.comment_id is null else r.comment_id = v_case.review_id
            end
        ),
        'appealed', (
            select to_jsonb(c) || jsonb_build_object(
                'decided_by_name', (select username from public.profiles where id = c.decided_by)
            )
            from public.moderation_cases as c where c.id = v_case.appeal_of
        ),
        'history', (
            select coalesce(jsonb_agg(to_jsonb(e) order by e.created_at desc), '[]')
            from (
                select a.id, a.created_at, a.actor_name, a.action, a.subject_kind, a.before, a.after
                from public.audit_log as a
                where a.server_id = v_case.server_id
                order by a.created_at desc nulls last, a.id
                limit 10
            ) as e
        ),
        'person', public.get_moderated_person(v_case.person_id)
    );
end
$$;

revoke execute on function
    public.accounts_of_same_address(uuid), public.get_moderated_person(uuid), public.get_moderation_case(uuid)
from public;
grant execute on function public.get_moderated_person(uuid), public.get_moderation_case(uuid) to authenticated;
