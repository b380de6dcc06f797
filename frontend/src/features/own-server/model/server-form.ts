/** What an owner writes of a server, and the columns it is kept in. The database judges all of it again. */
import * as v from 'valibot'
import type { Database } from '@/lib/database'
import { LANGUAGES, isLanguage } from '@/lib/i18n/languages'
import { atMost, longest, oneOf, optionalText, optionalWebAddress } from '@/lib/text/rules'
import { decodeStored, markedRuns } from '@/lib/text/stored-text'
import { youtubeId } from '@/entities/server/video'

export const NAME_LIMIT = 100
export const ADDRESS_LIMIT = 255
export const VERSION_LIMIT = 50
/** Characters of HTML. */
export const DESCRIPTION_LIMIT = 10_000
export const TAG_LIMIT = 10

const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = new RegExp(`^(${OCTET}\\.){3}${OCTET}(:[0-9]{1,5})?$`)
const FOUR_NUMBERS = /^\d+\.\d+\.\d+\.\d+(:.*)?$/
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$/

/** An IPv4 address or a host name, either with a port; four numbers with dots are never a name. */
export function isServerAddress(text: string): boolean {
  return (FOUR_NUMBERS.test(text) ? IPV4 : HOST).test(text)
}

/** The words for what the kit has none for. */
export interface SchemaWords {
  name: string
  address: string
  video: string
}

const picture = () => v.pipe(v.string(), longest(2048))
/** When the row was last written that the form began with; a draft brings its own along. */
const stamp = () => v.string()

const basics = (words: SchemaWords) => ({
  name: v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s+/g, ' ').trim()),
    v.check((text) => Array.from(text).length >= 3 && Array.from(text).length <= NAME_LIMIT, words.name),
  ),
  game_id: v.pipe(v.string(), v.nonEmpty('choice')),
  language: oneOf(LANGUAGES),
  ip_address: v.pipe(
    v.string(),
    v.trim(),
    longest(ADDRESS_LIMIT),
    v.check((text) => text === '' || isServerAddress(text), words.address),
  ),
  version: optionalText(VERSION_LIMIT),
  description: v.pipe(v.string(), longest(DESCRIPTION_LIMIT)),
  website_url: optionalWebAddress(),
  discord_url: optionalWebAddress(),
})

const looks = (words: SchemaWords) => ({
  logo_image_url: picture(),
  banner_image_url: picture(),
  description_image_url: picture(),
  backdrop_url: picture(),
  video_url: v.pipe(
    optionalWebAddress(),
    v.check((text) => text === '' || youtubeId(text) !== null, words.video),
  ),
  tags: v.pipe(v.array(v.string()), atMost(TAG_LIMIT)),
})

export const basicSchema = (words: SchemaWords) => v.object({ stamp: stamp(), ...basics(words) })
export const mediaSchema = (words: SchemaWords) => v.object({ stamp: stamp(), ...looks(words) })
export const colourSchema = () =>
  v.object({ stamp: stamp(), custom_color: v.pipe(v.string(), v.regex(/^(#[0-9a-f]{6})?$/i, 'colour')) })
export const addSchema = (words: SchemaWords) => v.object({ ...basics(words), ...looks(words) })

export type AddValues = v.InferOutput<ReturnType<typeof addSchema>>

/** Everything an owner may write. */
export type ServerValues = AddValues & { custom_color: string }
export type ServerField = keyof ServerValues

type Columns = Partial<Pick<Database['public']['Tables']['servers']['Insert'], ServerField>>
/** The columns a form is about, as they are stored. */
export type EditableRow = Pick<Database['public']['Tables']['servers']['Row'], ServerField>

export const EMPTY_NEW: AddValues = {
  name: '',
  game_id: '',
  language: 'fr',
  ip_address: '',
  version: '',
  description: '',
  website_url: '',
  discord_url: '',
  logo_image_url: '',
  banner_image_url: '',
  description_image_url: '',
  backdrop_url: '',
  video_url: '',
  tags: [],
}

export const EMPTY: ServerValues = { ...EMPTY_NEW, custom_color: '' }

const HAS_TAGS = /<\/?[a-z][^>]*>/i

function asRuns(line: string): string {
  return markedRuns(line)
    .map(({ text, mark }) => (mark === 'none' ? escape(text) : `<${mark}>${escape(text)}</${mark}>`))
    .join('')
}

/** A description from before the editor: its paragraphs, lines and stars as the editor writes them. */
function asHtml(text: string): string {
  if (text.trim() === '' || HAS_TAGS.test(text)) return text.trim()
  const lines = (paragraph: string): string => paragraph.trim().split('\n').map(asRuns).join('<br>')
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${lines(paragraph)}</p>`)
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A row as the form shows it: owners' texts are stored escaped, and an address that was not given as `N/A`. */
export function valuesOf(row: EditableRow): ServerValues {
  return {
    name: decodeStored(row.name),
    game_id: row.game_id,
    language: isLanguage(row.language) ? row.language : 'fr',
    ip_address: row.ip_address === 'N/A' ? '' : row.ip_address,
    version: decodeStored(row.version ?? ''),
    description: asHtml(decodeStored(row.description)),
    website_url: row.website_url ?? '',
    discord_url: row.discord_url ?? '',
    logo_image_url: row.logo_image_url ?? '',
    banner_image_url: row.banner_image_url ?? '',
    description_image_url: row.description_image_url ?? '',
    backdrop_url: row.backdrop_url ?? '',
    video_url: row.video_url ?? '',
    tags: row.tags,
    custom_color: row.custom_color ?? '',
  }
}

/** Fields that are empty texts in forms and nothing in the database. */
const NOTHING = new Set<string>([
  'version',
  'website_url',
  'discord_url',
  'logo_image_url',
  'banner_image_url',
  'description_image_url',
  'backdrop_url',
  'video_url',
  'custom_color',
])

/** The columns that a form's values are written to. */
export function columnsOf<Values extends Partial<ServerValues>>(values: Values): Columns {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value === '' && NOTHING.has(name) ? null : value,
  ])
  return Object.fromEntries(entries)
}

const PICTURES = ['logo_image_url', 'banner_image_url', 'description_image_url', 'backdrop_url'] as const

/** The pictures that one row has and another has not. */
export function picturesLeft(before: Partial<ServerValues>, after: Partial<ServerValues>): string[] {
  const kept = new Set(PICTURES.map((name) => after[name] ?? before[name]))
  return PICTURES.flatMap((name) => before[name] || []).filter((address) => !kept.has(address))
}
