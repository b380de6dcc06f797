-- What pages report and what the database itself writes down stand in one log; only the second is an audit trail.
alter table public.security_events
add column origin text not null default 'page',
add constraint security_events_origin check (origin in ('page', 'database'));
