-- Sessions of the checkout page that takes no money. Only the service, which is the owner, uses
-- them.
revoke all on public.test_checkouts from anon, authenticated, service_role;
