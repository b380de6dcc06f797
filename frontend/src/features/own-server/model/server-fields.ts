/**
 * The fields of a server that an owner edits, one line each: validation rule, initial value,
 * column, and how it is read. `server-form.ts` derives schemas, empty forms, rows, names and tabs
 * from it.
 */
import * as v from 'valibot'
import { youtubeId } from '@/entities/server/video'
import type { Database } from '@/lib/database'
import { LANGUAGES, isLanguage } from '@/lib/i18n/languages'
import { atMost, longest, oneOf, optionalText, optionalWebAddress } from '@/lib/text/rules'
import { decodeStored } from '@/lib/text/stored-text'
import { descriptionHtml } from './description-html'
import { isServerAddress } from './server-address'

export const NAME_LIMIT = 100
export const ADDRESS_LIMIT = 255
export const VERSION_LIMIT = 50
/** In characters of HTML. */
export const DESCRIPTION_LIMIT = 10_000
export const TAG_LIMIT = 10

/** The columns of the fields, for a query. */
export const FIELD_COLUMNS =
  'name, game_id, language, ip_address, version, description, website_url, discord_url, logo_image_url, banner_image_url, description_image_url, backdrop_url, video_url, tags, custom_color'

type NamesIn<Columns> = Columns extends `${infer First}, ${infer Others}` ? First | NamesIn<Others> : Columns
export type ServerField = NamesIn<typeof FIELD_COLUMNS>

/** The messages that the kit does not have. */
export interface SchemaWords {
  name: string
  address: string
  video: string
}

/** The tab of the edit page with the field; the form for a new server has no Prestige tab. */
export type Tab = 'basic' | 'media' | 'prestige'

interface Field<Rule extends v.GenericSchema, Column> {
  tab: Tab
  /** The text key of its name, below `own-server:field`. */
  label: string
  rule: (words: SchemaWords) => Rule
  empty: v.InferInput<Rule>
  read: (stored: Column) => v.InferInput<Rule>
  /** An empty field is stored as null. */
  isNullable?: boolean
  isPicture?: boolean
}

/** Preserves the types of each line. */
const field = <Rule extends v.GenericSchema, Column, const Label extends string, const At extends Tab>(
  line: Field<Rule, Column> & { label: Label; tab: At },
) => line

/** An optional text, which is stored as null if empty. */
const optional = <const Label extends string, const At extends Tab, Rule extends v.GenericSchema<string, string>>(
  tab: At,
  label: Label,
  rule: (words: SchemaWords) => Rule,
  read = (text: string) => text,
) =>
  field({
    tab,
    label,
    rule,
    empty: '' as never,
    read: (stored: string | null) => read(stored ?? '') as never,
    isNullable: true,
  })

const picture = <const Label extends string>(label: Label) => ({
  ...optional('media', label, () => v.pipe(v.string(), longest(2048))),
  isPicture: true,
})

type Row = Database['public']['Tables']['servers']['Row']

export const FIELDS = {
  name: field({
    tab: 'basic',
    label: 'name',
    rule: (words) =>
      v.pipe(
        v.string(),
        v.transform((text) => text.replace(/\s+/g, ' ').trim()),
        v.check((text) => Array.from(text).length >= 3 && Array.from(text).length <= NAME_LIMIT, words.name),
      ),
    empty: '',
    read: decodeStored,
  }),
  game_id: field({
    tab: 'basic',
    label: 'game',
    rule: () => v.pipe(v.string(), v.nonEmpty('choice')),
    empty: '',
    read: (stored: string) => stored,
  }),
  language: field({
    tab: 'basic',
    label: 'language',
    rule: () => oneOf(LANGUAGES),
    empty: 'fr',
    read: (stored: string | null) => (isLanguage(stored) ? stored : 'fr'),
  }),
  // A missing address is stored as `N/A`.
  ip_address: field({
    tab: 'basic',
    label: 'address',
    rule: (words) =>
      v.pipe(
        v.string(),
        v.trim(),
        longest(ADDRESS_LIMIT),
        v.check((text) => text === '' || isServerAddress(text), words.address),
      ),
    empty: '',
    read: (stored: string) => (stored === 'N/A' ? '' : stored),
  }),
  version: optional('basic', 'version', () => optionalText(VERSION_LIMIT), decodeStored),
  description: field({
    tab: 'basic',
    label: 'description',
    rule: () => v.pipe(v.string(), longest(DESCRIPTION_LIMIT)),
    empty: '',
    read: (stored: string) => descriptionHtml(decodeStored(stored)),
  }),
  website_url: optional('basic', 'website', () => optionalWebAddress()),
  discord_url: optional('basic', 'discord', () => optionalWebAddress()),
  logo_image_url: picture('logo'),
  banner_image_url: picture('banner'),
  description_image_url: picture('picture'),
  backdrop_url: picture('backdrop'),
  video_url: optional('media', 'video', (words) =>
    v.pipe(
      optionalWebAddress(),
      v.check((text) => text === '' || youtubeId(text) !== null, words.video),
    ),
  ),
  tags: field({
    tab: 'media',
    label: 'tags',
    rule: () => v.pipe(v.array(v.string()), atMost(TAG_LIMIT)),
    empty: [],
    read: (stored: string[]) => stored,
  }),
  custom_color: optional('prestige', 'colour', () => v.pipe(v.string(), v.regex(/^(#[0-9a-f]{6})?$/i, 'colour'))),
} satisfies { [Name in ServerField]: { read: (stored: Row[Name]) => unknown } }

export type Fields = typeof FIELDS
export const FIELD_NAMES = Object.keys(FIELDS) as ServerField[]
