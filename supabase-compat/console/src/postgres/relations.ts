/** The catalog in the query cache. */
import { queryOptions } from '@tanstack/react-query'
import { NAMES, PICTURE, RELATION, RELATIONS, type Relation, type RelationSummary } from './catalog'
import { runQuery, type QueryResponse } from './run-query'

export const catalogKeys = {
  all: ['catalog'] as const,
  relation: (schema: string, name: string) => ['catalog', 'relation', schema, name] as const,
}

export const relationsQuery = queryOptions({
  queryKey: ['catalog', 'relations'],
  queryFn: async ({ signal }) =>
    objectsOf(await runQuery({ query: RELATIONS, signal, maxRows: 20_000 })) as unknown as RelationSummary[],
})

export function relationQuery(schema: string, name: string) {
  return queryOptions({
    queryKey: catalogKeys.relation(schema, name),
    queryFn: async ({ signal }): Promise<Relation | null> => {
      const { rows } = await runQuery({ query: RELATION, parameters: [schema, name], signal })
      return jsonOf<Relation>(rows[0]?.[0]) ?? null
    },
  })
}

export interface NamedRelation {
  schema: string
  name: string
  columns: string[]
}

export const namesQuery = queryOptions({
  queryKey: ['catalog', 'names'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<NamedRelation[]> => {
    const { rows } = await runQuery({ query: NAMES, signal, maxRows: 2000 })
    return rows.map(([schema, name, columns]) => ({
      schema: String(schema),
      name: String(name),
      columns: jsonOf<string[]>(columns) ?? [],
    }))
  },
})

export interface PictureTable {
  name: string
  columns: { name: string; type: string; key: boolean }[]
  foreign_keys: { name: string; schema: string; table: string; columns: string[] }[]
}

export function pictureQuery(schema: string) {
  return queryOptions({
    queryKey: ['catalog', 'picture', schema],
    queryFn: async ({ signal }): Promise<PictureTable[]> => {
      const { rows } = await runQuery({ query: PICTURE, parameters: [schema], signal, maxRows: 300 })
      return rows.map(([name, columns, keys]) => ({
        name: String(name),
        columns: jsonOf<PictureTable['columns']>(columns) ?? [],
        foreign_keys: jsonOf<PictureTable['foreign_keys']>(keys) ?? [],
      }))
    },
  })
}

/** Rows as objects with column names as keys. */
export function objectsOf({ columns, rows }: QueryResponse): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, place) => [name, row[place]])))
}

function jsonOf<T>(value: unknown): T | undefined {
  if (value === null || value === undefined) return undefined
  return (typeof value === 'string' ? JSON.parse(value) : value) as T
}
