create table links (
    source bigint references pages,
    target biginteger references pages
);
