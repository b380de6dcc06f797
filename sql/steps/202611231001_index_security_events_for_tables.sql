-- In the order tables ask for.
create index security_events_table_idx on public.security_events (created_at desc nulls last, id);
