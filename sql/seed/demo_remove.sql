-- Takes the demonstration away: everything loaded, and what people added to the listings since. The accounts stay,
-- without their powers; the last founder stays one, since a site needs one.
delete from public.competitive_events where id::text like 'de300000-%';
delete from public.partners where id::text like 'de300000-%';
delete from public.tag_proposals where id::text like 'de300000-%';
-- The one place where papers go: those of the demonstration are about no money.
alter table public.payment_receipts disable trigger payment_receipts_stay;
delete from public.payment_receipts where payment_id::text like 'de300000-%';
alter table public.payment_receipts enable trigger payment_receipts_stay;
update public.payment_receipt_numbers set last = (select coalesce(max(number), 0) from public.payment_receipts);
delete from public.payments where id::text like 'de300000-%';
delete from public.arcade_spots where id::text like 'de300000-%';
delete from public.prestige_pass_days where id::text like 'de300000-%';
delete from public.reports where id::text like 'de300000-%';

delete from public.month_podiums where server_id::text like 'de300000-%';
delete from public.podium_months as kept
where not exists (select from public.month_podiums as p where p.month = kept.month);

-- Votes, reviews, events, clicks, counts and integrations go with their listing.
delete from public.servers where id::text like 'de300000-%';
delete from public.moderation_marks where subject_id::text like 'de300000-%';

update public.profiles set role = 'user'
where email = 'admin@palmares.test' and role = 'admin';
update public.profiles set role = 'user'
where
    email = 'founder@palmares.test' and role = 'founder'
    and exists (select from public.profiles where role = 'founder' and email <> 'founder@palmares.test');

do $$
begin
    call public.recount_votes(p_commits => false);
end
$$;

do $$
begin
    perform public.refresh_ranks();
    perform public.refresh_game_figures();
    perform public.refresh_tag_figures();
end
$$;
