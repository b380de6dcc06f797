-- For the removal of old entries.
create index audit_log_at_idx on _console.audit_log (at);
