-- Tables of the original's are known by its ledger, which stays: whoever goes back finds it as it was.
do $$
begin
    if to_regclass('storage.migrations') is null then
        raise exception 'the schema storage has tables, and not the ledger storage.migrations of the service that made them';
    end if;
end
$$;
