with due as (
    select id, due_at
    from {table}
    where given_up_at is null and due_at <= $1
    order by due_at, id
    limit $3
    for update skip locked
)
update {table} as job
set due_at = $2, attempts = job.attempts + 1
from due
where job.id = due.id
returning job.id, job.attempts, job.kind, job.payload::text, job.put_at, due.due_at as was_due
