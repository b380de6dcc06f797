/** How the slug of a game is derived from its name. */

/** Games that have no page of their own and share Minecraft's. */
const SHARE_MINECRAFT = new Set([
  'Black Desert Online',
  'Cabal Online',
  'Flyff',
  'Ragnarok Online',
  'Rappelz',
  'Silkroad Online',
  'Archlord',
])

/** Names with a fixed slug, so that an address survives a change of the general rule. */
const FIXED: Readonly<Record<string, string>> = {
  Minecraft: 'minecraft',
  'Dofus Retro': 'dofus-retro',
  'Dofus 2.X': 'dofus-2x',
  'World of Warcraft': 'world-of-warcraft',
  CS2: 'cs2',
  'CS:GO': 'csgo',
  'CS Source': 'cs-source',
  'GTA V (FiveM)': 'gta-v-fivem',
  Rust: 'rust',
  DayZ: 'dayz',
  "Garry's Mod": 'garrys-mod',
  ARK: 'ark',
  'Lineage 2': 'lineage-2',
  'Metin 2': 'metin-2',
  Aion: 'aion',
  'Mu Online': 'mu-online',
  'Red Dead Redemption 2': 'red-dead-redemption-2',
  Roblox: 'roblox',
}

/**
 * Lower case, trimmed; apostrophes, parentheses and colons removed; white space becomes a hyphen;
 * other non-word characters are dropped; hyphens collapse and are removed at the edges. Only ASCII
 * letters, digits and `_` are word characters.
 */
export function slugify(name: string): string {
  return name
    .toLowerCase()
    .trim()
    .replace(/['’():]/g, '')
    .replace(/\s+/g, '-')
    .replace(/[^a-z0-9_-]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The slug of a game's page, from its name. */
export function gameSlugOf(name: string): string {
  const known = name.trim()
  if (SHARE_MINECRAFT.has(known)) return 'minecraft'
  return Object.hasOwn(FIXED, known) ? FIXED[known]! : slugify(name)
}
