with job as (
    insert into {table} (kind, payload, put_at, due_at)
    values ($1, $2::json, $3, $3)
    returning id
)
select job.id, pg_catalog.pg_notify($4, '')::text
from job
