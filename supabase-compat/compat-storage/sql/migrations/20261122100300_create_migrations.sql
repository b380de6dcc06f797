-- The original's ledger of its own migrations, for whoever looks for it; ours is another table.
create table storage.migrations (
    id integer primary key,
    name varchar(100) unique not null,
    hash varchar(40) not null,
    executed_at timestamp default current_timestamp
);

alter table storage.migrations enable row level security;
