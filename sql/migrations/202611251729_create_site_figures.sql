-- What there was on the whole site, day by day, so that a span of time is read without counting anything again.
create table public.site_figures (
    day date not null,
    figure text not null,
    -- Of which reason, where a figure is told by reason.
    part text not null default '',
    amount bigint not null,
    counted_at timestamptz not null,
    primary key (day, figure, part),
    constraint site_figures_figure check (
        figure in (
            'votes', 'refused', 'voided', 'accounts', 'servers', 'delivered', 'undelivered', 'purchases', 'taken', 'returned'
        )
    ),
    constraint site_figures_amount check (amount >= 0)
);

alter table public.site_figures enable row level security;
