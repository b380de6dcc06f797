-- Broadcasts that clients had stored were said before they were written: the program does not say them again.
alter table realtime.messages add column if not exists skip_broadcast boolean not null default false;
