-- Addresses and what is written to them: nobody's but the worker's, who is the owner.
revoke all on public.mail_queue from anon, authenticated, service_role;
