/**
 * The forms of a server, derived from its fields, and their columns. The database validates
 * everything again.
 */
import * as v from 'valibot'
import type { Database } from '@/lib/database'
import { FIELDS, FIELD_NAMES, type Fields, type SchemaWords, type ServerField, type Tab } from './server-fields'

/** The fields of some tabs, in their order. */
export function fieldsOf<const At extends Tab>(...tabs: At[]): FieldOf<At>[] {
  return FIELD_NAMES.filter((name): name is FieldOf<At> => tabs.some((tab) => tab === FIELDS[name].tab))
}

type FieldOf<At extends Tab> = { [Name in ServerField]: Fields[Name]['tab'] extends At ? Name : never }[ServerField]
type Rules<At extends Tab> = { [Name in FieldOf<At>]: ReturnType<Fields[Name]['rule']> }

function rulesOf<const At extends Tab>(words: SchemaWords, ...tabs: At[]): Rules<At> {
  return Object.fromEntries(fieldsOf(...tabs).map((name) => [name, FIELDS[name].rule(words)])) as Rules<At>
}

/** The version of the row on which the form is based; a draft has its own. */
const stamp = () => v.string()

export const basicSchema = (words: SchemaWords) => v.object({ stamp: stamp(), ...rulesOf(words, 'basic') })
export const mediaSchema = (words: SchemaWords) => v.object({ stamp: stamp(), ...rulesOf(words, 'media') })
export const colourSchema = (words: SchemaWords) => v.object({ stamp: stamp(), ...rulesOf(words, 'prestige') })
export const addSchema = (words: SchemaWords) => v.object(rulesOf(words, 'basic', 'media'))

export type AddValues = v.InferOutput<ReturnType<typeof addSchema>>

/** All values that an owner may edit. */
export type ServerValues = { [Name in ServerField]: v.InferOutput<ReturnType<Fields[Name]['rule']>> }

/** The columns of a form, as stored. */
export type EditableRow = Pick<Database['public']['Tables']['servers']['Row'], ServerField>
type ColumnsOf<Values> = { [Name in keyof Values]: Name extends ServerField ? EditableRow[Name] : never }

const emptyOf = (names: readonly ServerField[]) => Object.fromEntries(names.map((name) => [name, FIELDS[name].empty]))

export const EMPTY_NEW = emptyOf(fieldsOf('basic', 'media')) as AddValues
export const EMPTY = emptyOf(FIELD_NAMES) as ServerValues

/** The form's values of a row: owners' texts are stored escaped. */
export function valuesOf(row: EditableRow): ServerValues {
  const read = (name: ServerField): unknown => (FIELDS[name].read as (stored: unknown) => unknown)(row[name])
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, read(name)])) as ServerValues
}

const isNullable = (name: string): boolean =>
  Object.entries(FIELDS).some(([known, line]) => known === name && 'isNullable' in line)

/** The columns that a form's values are written to. */
export function columnsOf<Values extends Partial<ServerValues>>(values: Values): ColumnsOf<Values> {
  const entries = Object.entries(values).map(([name, value]) => [name, value === '' && isNullable(name) ? null : value])
  return Object.fromEntries(entries) as ColumnsOf<Values>
}

const PICTURES = FIELD_NAMES.filter((name) => 'isPicture' in FIELDS[name])

/** The images of one row that another does not have. */
export function picturesLeft(before: Partial<ServerValues>, after: Partial<ServerValues>): string[] {
  const usedPictures = new Set(PICTURES.map((name) => after[name] ?? before[name]))
  return PICTURES.flatMap((name) => before[name] || []).filter((address) => !usedPictures.has(address))
}
