-- All data that the site keeps about the caller, for a download. Rows are found by the account,
-- never by a parameter. Left out are hashes of addresses, which say nothing, secrets of other
-- systems, and the names of moderators. The browser adds the data that only it has (favorites).
create or replace function public.export_my_data() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
    v_user_id uuid := auth.uid();
    v_servers uuid[] := public.own_server_ids();
begin
    if v_user_id is null or not public.has_shown_second_factor() then
        raise exception 'Second factor required' using errcode = '42501';
    end if;
    return jsonb_build_object(
        'exported_at', now(),
        'profile', (
            select to_jsonb(p) - 'thinned_votes' from public.profiles as p where p.id = v_user_id
        ),
        'account', (
            select jsonb_build_object(
                'id', u.id, 'email', u.email, 'phone', u.phone, 'created_at', u.created_at,
                'last_sign_in_at', u.last_sign_in_at, 'email_confirmed_at', u.email_confirmed_at,
                'metadata', u.raw_user_meta_data
            )
            from auth.users as u where u.id = v_user_id
        ),
        'identities', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'provider', i.provider, 'data', i.identity_data, 'created_at', i.created_at
            ) order by i.created_at), '[]')
            from auth.identities as i where i.user_id = v_user_id
        ),
        'sessions', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from public.get_my_sessions() as s),
        'servers', (
            select coalesce(jsonb_agg(
                (to_jsonb(s) - 'search_name') || jsonb_build_object(
                    'game', g.name, 'total_votes', t.total_votes, 'monthly_votes', t.monthly_votes, 'clicks', t.clicks
                ) order by s.created_at, s.id
            ), '[]')
            from public.servers as s
            inner join public.games as g on g.id = s.game_id
            left join public.server_standings as t on t.server_id = s.id
            where s.owner_id = v_user_id
        ),
        'server_days', (
            select coalesce(jsonb_agg(to_jsonb(d) order by d.server_id, d.day), '[]')
            from public.server_daily_counts as d where d.server_id = any(v_servers)
        ),
        'server_months', (
            select coalesce(jsonb_agg(to_jsonb(m) order by m.server_id, m.month), '[]')
            from public.server_monthly_votes as m where m.server_id = any(v_servers)
        ),
        'server_events', (
            select coalesce(jsonb_agg(to_jsonb(e) order by e.created_at, e.id), '[]')
            from public.server_events as e where e.server_id = any(v_servers)
        ),
        'webhooks', (
            select coalesce(jsonb_agg(to_jsonb(w) - 'secret'), '[]')
            from public.webhooks as w where w.server_id = any(v_servers)
        ),
        'votifier_configs', (
            select coalesce(jsonb_agg(to_jsonb(c) - 'token'), '[]')
            from public.votifier_configs as c where c.server_id = any(v_servers)
        ),
        'reviews', (
            select coalesce(jsonb_agg(
                to_jsonb(r) || jsonb_build_object('server', s.name, 'answer', a.comment)
                order by r.created_at, r.id
            ), '[]')
            from public.reviews as r
            inner join public.servers as s on s.id = r.server_id
            left join public.review_answers as a on a.review_id = r.id
            where r.user_id = v_user_id
        ),
        'answers', (
            select coalesce(jsonb_agg(to_jsonb(a) order by a.created_at), '[]')
            from public.review_answers as a where a.server_id = any(v_servers)
        ),
        'votes', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'server_id', v.server_id, 'server', s.name, 'nickname', v.nickname, 'voted_at', v.voted_at
            ) order by v.voted_at), '[]')
            from public.votes as v
            inner join public.servers as s on s.id = v.server_id
            where v.user_id = v_user_id
        ),
        'vote_totals', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'period', o.period, 'period_start', o.period_start, 'nickname', o.nickname, 'votes', o.votes
            ) order by o.period_start, o.period), '[]')
            from public.voter_totals as o where o.user_id = v_user_id
        ),
        'reports', (
            select coalesce(jsonb_agg(to_jsonb(r) - 'resolved_by' order by r.created_at), '[]')
            from public.reports as r where r.reporter_id = v_user_id
        ),
        'tag_proposals', (
            select coalesce(jsonb_agg(to_jsonb(p) - 'reviewed_by' order by p.created_at), '[]')
            from public.tag_proposals as p where p.proposed_by = v_user_id
        ),
        'payments', (
            select coalesce(jsonb_agg(to_jsonb(p) - 'problem' - 'charge_id' order by p.created_at), '[]')
            from public.payments as p where p.user_id = v_user_id
        ),
        'payment_receipts', (
            select coalesce(jsonb_agg(to_jsonb(r) order by r.number), '[]')
            from public.payment_receipts as r where r.user_id = v_user_id
        ),
        'prestige_pass_days', (
            select coalesce(jsonb_agg(to_jsonb(d) order by d.earned_at, d.milestone), '[]')
            from public.prestige_pass_days as d where d.user_id = v_user_id
        ),
        'arcade_spots', (
            select coalesce(jsonb_agg(to_jsonb(s) order by s.created_at), '[]')
            from public.arcade_spots as s where s.booked_by = v_user_id
        ),
        'weekly_mails', (
            select coalesce(jsonb_agg(jsonb_build_object('week', d.week, 'places', d.places)), '[]')
            from public.owner_digests as d where d.user_id = v_user_id
        ),
        'push_subscriptions', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'endpoint', p.endpoint, 'language', p.language, 'created_at', p.created_at, 'asked_at', p.asked_at
            ) order by p.created_at), '[]')
            from public.push_subscriptions as p where p.user_id = v_user_id
        ),
        'warnings', (
            select coalesce(jsonb_agg(to_jsonb(w) - 'issued_by' order by w.created_at), '[]')
            from public.user_warnings as w where w.user_id = v_user_id
        ),
        'security_events', (
            select coalesce(jsonb_agg(to_jsonb(e) order by e.created_at), '[]')
            from public.security_events as e where e.user_id = v_user_id
        ),
        'audit_log', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'created_at', a.created_at, 'action', a.action, 'subject_kind', a.subject_kind,
                'subject_label', a.subject_label,
                'before', a.before - '{resolved_by,reviewed_by,issued_by,decided_by}'::text[],
                'after', a.after - '{resolved_by,reviewed_by,issued_by,decided_by}'::text[]
            ) order by a.created_at, a.id), '[]')
            from public.audit_log as a where a.person_id = v_user_id
        ),
        'moderation', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'decision', m.decision, 'label', m.label, 'reason', m.reason, 'created_at', m.created_at
            ) order by m.created_at), '[]')
            from public.moderation_marks as m where m.account_id = v_user_id
        ),
        'decisions', (
            select coalesce(jsonb_agg(to_jsonb(d) order by d.decided_at), '[]') from public.get_my_decisions() as d
        ),
        'pictures', (
            select coalesce(jsonb_agg(o.name order by o.name), '[]')
            from storage.objects as o
            where
                o.bucket_id = 'server-images'
                and (
                    (o.name collate "C" >= v_user_id || '/' and o.name collate "C" < v_user_id || '0')
                    or (
                        o.name collate "C" >= 'arcade-spots/' || v_user_id || '/'
                        and o.name collate "C" < 'arcade-spots/' || v_user_id || '0'
                    )
                )
        )
    );
end
$$;

revoke execute on function public.export_my_data() from public;
grant execute on function public.export_my_data() to authenticated;
