-- Which backup took the place of the database that was served, and the backups that were made before that.
alter table _console.backups
    add column restore_state text check (restore_state in ('running', 'done', 'failed')),
    add column restore_lease_until timestamptz,
    add column restored_at timestamptz,
    add column restored_by text,
    add column restore_reason text,
    drop constraint backups_origin_check,
    add constraint backups_origin_check check (origin in ('console', 'schedule', 'command', 'restore'));

create unique index backups_restoring_idx on _console.backups (restore_state) where restore_state = 'running';
