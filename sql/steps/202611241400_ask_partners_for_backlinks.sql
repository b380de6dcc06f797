-- What a look at the page that should link back found, and when the next one is wanted.
alter table public.partners
add column backlink_fault text,
add column backlink_asked_at timestamptz not null default now(),
add column backlink_leased_until timestamptz,
add constraint partners_backlink_fault check (
    backlink_fault in (
        'no_link', 'nofollow', 'status', 'redirects', 'not_html', 'not_public', 'name_not_found', 'timed_out',
        'too_long', 'unreachable'
    )
);
