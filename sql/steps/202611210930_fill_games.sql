-- The games the site opens with. A step, so that what administrators change or delete later stays as they left it.
insert into public.games (
    name, slug, page_slug, shortcut, is_steam, status_protocol, default_port, nickname_pattern, accent_color, sort_order
)
values
('Minecraft', 'minecraft', 'minecraft', 'minecraft', false, 'minecraft', 25565, '[A-Za-z0-9_]{3,16}', '#5FA83A', 10),
('GTA V (FiveM)', 'gta-v-fivem', 'gta-v-fivem', 'gta-rp', false, 'fivem', 30120, null, '#E8743B', 20),
('Dofus Retro', 'dofus-retro', 'dofus-retro', 'dofus', false, 'tcp', null, null, '#9CB23C', 30),
('Dofus 2.X', 'dofus-2x', 'dofus-2x', 'dofus', false, 'tcp', null, null, '#C9A227', 40),
('World of Warcraft', 'world-of-warcraft', 'world-of-warcraft', 'wow', false, 'tcp', 3724, null, '#D9A441', 50),
('CS2', 'cs2', 'cs2', 'cs2', true, 'source', 27015, null, '#E5A13A', 60),
('CS:GO', 'csgo', 'csgo', null, true, 'source', 27015, null, '#5D79AE', 70),
('CS Source', 'cs-source', 'cs-source', null, true, 'source', 27015, null, '#7A8B99', 80),
('Rust', 'rust', 'rust', 'rust', true, 'source', 28015, null, '#CD412B', 90),
('DayZ', 'dayz', 'dayz', 'dayz', true, 'source', 2302, null, '#8A9A5B', 100),
('Garry''s Mod', 'garrys-mod', 'garrys-mod', 'garry-mod', true, 'source', 27015, null, '#3E8EDE', 110),
('ARK', 'ark', 'ark', null, true, 'source', 27015, null, '#2FA39A', 120),
('Roblox', 'roblox', 'roblox', null, false, 'tcp', null, '[A-Za-z0-9_]{3,20}', '#E2463F', 130),
('Red Dead Redemption 2', 'red-dead-redemption-2', 'red-dead-redemption-2', null, false, 'fivem', 30120, null, '#B3261E', 140),
('Lineage 2', 'lineage-2', 'lineage-2', null, false, 'tcp', 2106, null, '#7C8FBF', 150),
('Metin 2', 'metin-2', 'metin-2', null, false, 'tcp', 11002, null, '#B5533C', 160),
('Aion', 'aion', 'aion', null, false, 'tcp', 2106, null, '#57B6D9', 170),
('Mu Online', 'mu-online', 'mu-online', null, false, 'tcp', 44405, null, '#C77B30', 180),
('Black Desert Online', 'black-desert-online', 'minecraft', null, false, 'tcp', null, null, '#8C7B6B', 190),
('Cabal Online', 'cabal-online', 'minecraft', null, false, 'tcp', 38101, null, '#4C7FD0', 200),
('Flyff', 'flyff', 'minecraft', null, false, 'tcp', 23000, null, '#6CC4E8', 210),
('Ragnarok Online', 'ragnarok-online', 'minecraft', null, false, 'tcp', 6900, null, '#E58FB1', 220),
('Rappelz', 'rappelz', 'minecraft', null, false, 'tcp', 4500, null, '#9A6FD0', 230),
('Silkroad Online', 'silkroad-online', 'minecraft', null, false, 'tcp', 15779, null, '#D4B26A', 240),
('Archlord', 'archlord', 'minecraft', null, false, 'tcp', 11002, null, '#A8483F', 250)
on conflict do nothing;

update public.games
set
    logo_url = '/pictures/games/' || slug || '/logo.svg',
    backdrop_url = '/pictures/games/' || slug || '/backdrop.svg'
where logo_url is null and backdrop_url is null;
