-- What a day of Prestige costs, in cents: the largest step not above the number of days bought holds.
insert into public.prestige_pricing (min_days, unit_price_cents)
values (1, 150), (7, 130), (15, 115), (30, 100), (60, 95), (90, 90), (180, 80), (365, 70)
on conflict do nothing;
