-- What the overview of those who run the site asks for at each visit: few of many.
create index payments_wanting_person_idx on public.payments (created_at)
where
    (state = 'to_refund' and problem is not null)
    or (state in ('paid', 'to_refund') and refund_failed_at is not null)
    or (state <> 'refunded' and disputed_at is not null);
create index delivery_lanes_failing_idx on public.delivery_lanes (failing_since) where failing_since is not null;
create index tag_proposals_pending_idx on public.tag_proposals (created_at) where status = 'pending';

-- Events of one type, the newest first.
create index security_events_type_idx on public.security_events (event_type, created_at desc nulls last, id);
