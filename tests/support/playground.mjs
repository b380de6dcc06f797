// The test schema for clients of rest/v1: tables, a view, procedures, and a second schema.
import { asOwner } from './database.mjs'

const SCHEMA = `
  create schema playground;
  create schema side;
  grant usage on schema playground, side to anon, authenticated, service_role;

  create table playground.teams (id int primary key, name text not null unique);
  create table playground.players (
    id int primary key,
    name text not null,
    team_id int references playground.teams,
    score int,
    active boolean,
    tags text[] not null default '{}',
    during int4range,
    profile jsonb,
    bio text,
    joined timestamptz not null default '2026-01-01 12:00:00+00'
  );
  create table playground.badges (id int primary key, label text not null);
  create table playground.player_badges (
    player_id int references playground.players,
    badge_id int references playground.badges,
    primary key (player_id, badge_id)
  );
  create table playground.logs (id int primary key generated always as identity, line text not null default 'empty');
  create table playground.closed (id int primary key);
  create view playground.active_players as select id, name, team_id from playground.players where active;

  create function playground.add(a int, b int default 10) returns int language sql immutable as 'select a + b';
  create function playground.total(numbers int[]) returns bigint language sql immutable
    as 'select sum(n) from unnest(numbers) as n';
  create function playground.scored_over(minimum int) returns setof playground.players language sql stable
    as 'select * from playground.players where score > minimum';
  create function playground.clear_logs() returns setof playground.logs language sql volatile
    as 'delete from playground.logs returning *';
  create function playground.shout(words text) returns void language sql immutable as '';
  create function playground.zone() returns text language sql stable as $$ select current_setting('timezone') $$;
  create function playground.full_label(playground.players) returns text language sql stable
    as $$ select $1.name || ' #' || $1.id $$;

  create table side.things (id int primary key, what text);
  create function side.where_am_i() returns text language sql stable as $$ select 'side' $$;

  insert into playground.teams values (1, 'North'), (2, 'South'), (3, 'Empty');
  insert into playground.players (id, name, team_id, score, active, tags, during, profile, bio) values
    (1, 'Ada', 1, 30, true, '{math,logic}', '[1,10)', '{"age": 36, "from": {"town": "London"}}', 'the quick brown fox'),
    (2, 'Blaise', 1, 20, false, '{math}', '[10,20)', '{"age": 39}', 'jumps over the lazy dog'),
    (3, 'Carl', 2, 10, null, '{stars}', '[5,15)', null, null),
    (4, 'Dora', null, null, true, '{}', null, null, 'a (strange), "text"');
  insert into playground.badges values (1, 'gold'), (2, 'silver');
  insert into playground.player_badges values (1, 1), (1, 2), (2, 2);
  insert into side.things values (1, 'a thing');

  grant all on all tables in schema playground, side to anon, authenticated, service_role;
  revoke all on playground.closed from anon, authenticated;
  grant execute on all functions in schema playground, side to anon, authenticated, service_role;
  grant usage on all sequences in schema playground to anon, authenticated, service_role;
`

/** Settings under which the playground is served. */
export const settings = {
  PGRST_DB_ANON_ROLE: 'anon',
  PGRST_DB_SCHEMAS: 'playground,side',
  PGRST_DB_AGGREGATES_ENABLED: 'true',
  PGRST_DB_PLAN_ENABLED: 'true',
  PGRST_DB_TX_END: 'commit-allow-override',
}

/** Makes the playground's schemas, which must exist before a server is started to serve them. */
export async function build(server) {
  await asOwner(server, SCHEMA)
  await withPlaces(server)
  await asOwner(server, `notify pgrst, 'reload schema'`)
}

/** Adds a table with a geometry column if PostGIS is installed. */
async function withPlaces(server) {
  const found = await asOwner(server, `select 1 from pg_available_extensions where name = 'postgis'`)
  server.hasPlaces = found.length > 0
  if (!server.hasPlaces) return
  await asOwner(
    server,
    `create extension postgis;
     create table playground.places (id int primary key, name text, spot geometry(Point, 4326));
     insert into playground.places values (1, 'here', 'SRID=4326;POINT(2 48)');
     grant select on playground.places to anon, authenticated, service_role;`,
  )
}

/** Queries until the server knows the tables: the notification arrives asynchronously. */
export async function untilKnown(client) {
  for (;;) {
    const { error, status } = await client.from('teams').select('id').limit(1)
    if (!error) return
    if (status !== 404 && status !== 503) throw new Error(JSON.stringify(error))
  }
}
