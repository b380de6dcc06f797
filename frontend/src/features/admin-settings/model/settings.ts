/**
 * The site's settings in a form: in groups, each with its kind and the bounds that the database
 * also checks.
 */
import * as v from 'valibot'
import { longest, optionalText, wholeNumber } from '@/lib/text/rules'

export type Kind =
  | { kind: 'text' | 'area'; most: number }
  | { kind: 'number'; min: number; max: number; unset?: number }
  | { kind: 'switch' }

const text = (most: number): Kind => ({ kind: 'text', most })
const area = (most: number): Kind => ({ kind: 'area', most })
const number = (min: number, max: number) => ({ kind: 'number' as const, min, max })

const GROUPS = {
  site: {
    siteName: text(60),
    siteDescription: area(300),
    contactEmail: text(200),
    allGamesBackdropUrl: text(2048),
    // While it is zero, the servers are counted.
    totalServers: { ...number(0, 999_999_999), unset: 0 },
    registrationOpen: { kind: 'switch' },
  },
  servers: { autoApproveServers: { kind: 'switch' }, baseServerLimit: number(0, 9999) },
  votes: {
    voteCooldownSeconds: number(60, 604_800),
    siteTimezone: text(60),
    voteLimitAddressHour: number(0, 9_999_999),
    voteLimitAddressDay: number(0, 9_999_999),
    voteLimitNetworkHour: number(0, 9_999_999),
    voteLimitServerMinute: number(0, 9_999_999),
  },
  money: {
    prestigePassVotesPerDay: number(1, 9_999_999),
    competitiveEventFinalizeAfterHours: number(0, 999),
    // The default of the procedures while it is not set.
    taxBasisPoints: { ...number(0, 9999), unset: 0 },
    withdrawalDays: { ...number(14, 365), unset: 14 },
  },
  operator: {
    sellerName: text(200),
    sellerAddress: area(500),
    sellerTaxId: text(100),
    publicationDirector: text(200),
    hostParticulars: area(500),
    consumerMediator: area(500),
  },
} as const satisfies Record<string, Record<string, Kind>>

export type Group = keyof typeof GROUPS
export const GROUP_NAMES = ['site', 'servers', 'votes', 'money', 'operator'] as const satisfies readonly Group[]

type KeysOf<Each> = Each extends unknown ? keyof Each : never
export type SettingKey = KeysOf<(typeof GROUPS)[Group]>
export type SettingValues = Record<SettingKey, string | number | boolean | null>

const KINDS: Readonly<Record<string, Kind>> = Object.assign({}, ...Object.values(GROUPS))

export function keysOf(group: Group): SettingKey[] {
  return Object.keys(GROUPS[group]) as SettingKey[]
}

const SETTING_KEYS = GROUP_NAMES.flatMap(keysOf)

export function kindOf(key: SettingKey): Kind {
  return KINDS[key] ?? text(0)
}

/** `site_name` for `siteName`. */
function storedName(key: SettingKey): string {
  return key.replaceAll(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
}

function ruleOf(key: SettingKey): v.GenericSchema<string | number | boolean | null> {
  const kind = kindOf(key)
  if (kind.kind === 'switch') return v.boolean()
  if (kind.kind === 'number') return wholeNumber(kind)
  return key === 'siteName'
    ? v.pipe(v.string(), v.trim(), v.nonEmpty('required'), longest(kind.most))
    : optionalText(kind.most)
}

export const settingsSchema = v.object(
  Object.fromEntries(SETTING_KEYS.map((key) => [key, ruleOf(key)])) as Record<
    SettingKey,
    v.GenericSchema<string | number | boolean | null>
  >,
)

/** The initial values of the form; a stored value of the wrong kind becomes empty. */
export function valuesOf(stored: Readonly<Record<string, unknown>>): SettingValues {
  const all = SETTING_KEYS.map((key) => [key, valueOf(kindOf(key), stored[storedName(key)])])
  return Object.fromEntries(all) as SettingValues
}

function valueOf(kind: Kind, stored: unknown): string | number | boolean | null {
  if (kind.kind === 'switch') return stored === true
  if (kind.kind === 'number') return typeof stored === 'number' ? stored : (kind.unset ?? null)
  return typeof stored === 'string' ? stored : ''
}

/**
 * Only changed settings are written, so that two people with different settings do not overwrite
 * each other.
 */
export function changed(before: SettingValues, after: SettingValues): { setting_key: string; setting_value: string }[] {
  return SETTING_KEYS.filter((key) => before[key] !== after[key]).map((key) => ({
    setting_key: storedName(key),
    setting_value: JSON.stringify(after[key]),
  }))
}

/** The operator's particulars that are still missing; the law requires them. */
export function missingParticulars(values: SettingValues): SettingKey[] {
  return [...keysOf('operator'), 'contactEmail' as const].filter((key) => values[key] === '')
}
