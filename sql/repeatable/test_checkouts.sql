-- The checkout page that takes no money keeps its sessions here: nobody's but the service's, who is the owner.
revoke all on public.test_checkouts from anon, authenticated, service_role;
