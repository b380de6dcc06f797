select
    count(*) filter (where given_up_at is null),
    count(*) filter (where given_up_at is not null),
    min(due_at) filter (where given_up_at is null)
from {table}
