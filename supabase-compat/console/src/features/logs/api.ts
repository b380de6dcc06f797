/** Reads the log with statements of its query endpoint. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ApiError, serviceRequest } from '@/api/client'

export const SOURCES = ['requests', 'database', 'functions'] as const
export type Source = (typeof SOURCES)[number]

/** The path prefixes of services. */
export const SERVICE_PATHS = {
  auth: '/auth/v1',
  rest: '/rest/v1',
  storage: '/storage/v1',
  functions: '/functions/v1',
  realtime: '/realtime/v1',
} as const
export type Service = keyof typeof SERVICE_PATHS

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

/** The range in minutes; `all` is the whole log. */
export const RANGES = { '15m': 15, '1h': 60, '24h': 1440, '7d': 10_080, all: null } as const
export type Range = keyof typeof RANGES

export interface LogFilter {
  source: Source
  service: Service | ''
  status: StatusClass | ''
  /** A part of the path, or of the message for lines without a path. */
  text: string
  /** The id of an account. */
  user: string
  range: Range
}

export interface LogLine {
  id: string
  /** Microseconds since 1970. */
  timestamp: number
  event_message: string
  method?: string | null
  path?: string | null
  search?: string | null
  status?: number | null
  /** Milliseconds. */
  duration?: number | null
  request_id?: string | null
  account?: string | null
  role?: string | null
  code?: string | null
  error?: string | null
  severity?: string | null
  application?: string | null
  query?: string | null
  function_name?: string | null
}

const PAGE_SIZE = 100

/** A text literal in the log's SQL. */
export const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** A condition: the column contains the text, ignoring case. */
const contains = (column: string, text: string) =>
  `regexp_contains(${column}, ${quoted(`(?i)${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`)})`

const REQUEST_COLUMNS = [
  'id',
  'timestamp',
  'event_message',
  'request.method as method',
  'request.path as path',
  'request.search as search',
  'response.status_code as status',
  'response.origin_time as duration',
  'sb.request_id as request_id',
  'sb.auth_user as account',
  'sb.role as role',
  'h.x_sb_error_code as code',
  'm.error as error',
].join(', ')
const REQUESTS = [
  `select ${REQUEST_COLUMNS} from edge_logs`,
  'cross join unnest(metadata) as m',
  'cross join unnest(m.request) as request',
  'cross join unnest(m.response) as response',
  'cross join unnest(request.sb) as sb',
  'cross join unnest(response.headers) as h',
].join(' ')
const DATABASE = [
  'select id, timestamp, event_message, p.error_severity as severity, p.sql_state_code as code, p.user_name as role,',
  'p.application_name as application, p.query as query from postgres_logs',
  'cross join unnest(metadata) as m cross join unnest(m.parsed) as p',
].join(' ')
const FUNCTIONS = [
  'select id, timestamp, event_message, m.level as severity, m.function_id as function_name, m.execution_id as request_id',
  'from function_logs cross join unnest(metadata) as m',
].join(' ')

/** The statement for a page of the log, the newest lines first. */
export function statementOf({ source, service, status, text, user }: LogFilter): string {
  const conditions: string[] = []
  if (source === 'requests') {
    if (service) conditions.push(`starts_with(request.path, ${quoted(SERVICE_PATHS[service])})`)
    if (status) conditions.push(`response.status_code between ${status[0]}00 and ${status[0]}99`)
    if (text) conditions.push(contains('request.path', text))
    if (user) conditions.push(`sb.auth_user = ${quoted(user)}`)
  } else if (text) conditions.push(contains('event_message', text))
  const from = { requests: REQUESTS, database: DATABASE, functions: FUNCTIONS }[source]
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return `${from}${where} order by timestamp desc limit ${PAGE_SIZE}`
}

/** Microseconds since 1970 as RFC 3339, to the microsecond. */
export function moment(microseconds: number): string {
  const iso = new Date(Math.floor(microseconds / 1000)).toISOString()
  return iso.replace('Z', `${String(microseconds % 1000).padStart(3, '0')}Z`)
}

async function queryLog(
  sql: string,
  options: { start?: string; end?: string; signal?: AbortSignal },
): Promise<LogLine[]> {
  const { result, error } = await serviceRequest<{ result?: LogLine[]; error?: string }>('logs/logs.all', {
    query: { project: 'default', sql, iso_timestamp_start: options.start, iso_timestamp_end: options.end },
    signal: options.signal,
  })
  // A refused statement has status 200.
  if (error !== undefined) throw new ApiError(400, 'log_query', error)
  return result ?? []
}

export const logQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ['logs', filter],
    queryFn: ({ signal, pageParam }) => {
      const minutes = RANGES[filter.range]
      const start = minutes === null ? undefined : moment((Date.now() - minutes * 60_000) * 1000)
      return queryLog(statementOf(filter), { start, end: pageParam === null ? undefined : moment(pageParam), signal })
    },
    initialPageParam: null as number | null,
    // The end of a page is inclusive.
    getNextPageParam: (lines) => (lines.length < PAGE_SIZE ? null : (lines.at(-1)?.timestamp ?? 1) - 1),
  })

/** The recent output of a function, the newest first. */
export const functionLogQuery = (name: string) =>
  queryOptions({
    queryKey: ['logs', 'function', name],
    queryFn: ({ signal }) =>
      queryLog(`${FUNCTIONS} where m.function_id = ${quoted(name)} order by timestamp desc limit 200`, { signal }),
  })

export interface RequestTrace {
  request: LogLine | null
  /** The lines of services, functions and PostgreSQL during the request, oldest first. */
  lines: (LogLine & { source: string })[]
}

/** How often a request without lines is read again: PostgreSQL writes its lines a moment later. */
const MAX_READS = 5

/** One request with all its lines in the log. */
export const traceQuery = (id: string) =>
  queryOptions({
    queryKey: ['logs', 'trace', id],
    queryFn: async ({ signal }): Promise<RequestTrace> => {
      const service = (table: string) =>
        `select id, timestamp, event_message, m.level as severity, m.error_code as code from ${table} ` +
        `cross join unnest(metadata) as m where m.request_id = ${quoted(id)} and m.status is null order by timestamp limit 100`
      const statements: [string, string][] = [
        [
          'PostgreSQL',
          `${DATABASE} where p.application_name = ${quoted(`request ${id}`)} order by timestamp limit 100`,
        ],
        ['functions', `${FUNCTIONS} where m.execution_id = ${quoted(id)} order by timestamp limit 100`],
        ['rest', service('postgrest_logs')],
        ['auth', service('auth_logs')],
        ['storage', service('storage_logs')],
      ]
      const [requests, ...parts] = await Promise.all([
        queryLog(`${REQUESTS} where sb.request_id = ${quoted(id)} limit 1`, { signal }),
        ...statements.map(async ([source, sql]) =>
          (await queryLog(sql, { signal })).map((line) => Object.assign(line, { source })),
        ),
      ])
      return {
        request: requests[0] ?? null,
        lines: parts.flat().toSorted((one, other) => one.timestamp - other.timestamp),
      }
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.lines.length === 0 && dataUpdateCount < MAX_READS ? 1000 : false,
  })

/** The id of the request to which a line belongs. */
export function requestIdOf({ request_id: id, application }: LogLine): string | null {
  return id ?? (application?.startsWith('request ') ? application.slice('request '.length) : null)
}
