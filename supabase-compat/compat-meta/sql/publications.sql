-- Publications; if a publication is for all tables, its tables are null.
select
    p.oid::int8 as id,
    p.pubname as name,
    p.pubowner::regrole::text as owner,
    p.pubinsert as publish_insert,
    p.pubupdate as publish_update,
    p.pubdelete as publish_delete,
    p.pubtruncate as publish_truncate,
    case
        when not p.puballtables then coalesce(
            (
                select pg_catalog.jsonb_agg(
                    pg_catalog.jsonb_build_object('id', c.oid::int8, 'name', c.relname, 'schema', n.nspname)
                    order by c.oid
                )
                from pg_catalog.pg_publication_rel as t
                inner join pg_catalog.pg_class as c on c.oid = t.prrelid
                inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
                where t.prpubid = p.oid
            ),
            '[]'
        )
    end as tables
from pg_catalog.pg_publication as p
