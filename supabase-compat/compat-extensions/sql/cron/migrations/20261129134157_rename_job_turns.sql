-- The next time of a job is its due time, in the console and in the code; the table had a word of its own.
alter table cron.job_turns rename to job_due_times;
alter index cron.job_turns_pkey rename to job_due_times_pkey;
alter index cron.job_turns_next_at rename to job_due_times_next_at;
alter table cron.job_due_times rename constraint job_turns_jobid_fkey to job_due_times_jobid_fkey;
