insert into {table} (kind, payload, put_at, due_at, attempts)
values ($1, $2::json, $3, $4, 1)
returning id
