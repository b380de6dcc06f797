/** Runs statements of the editor, records them, and cancels them on request. */
import { useRef, useState } from 'react'
import { databaseRefusalOf, runQuery, type DatabaseRefusal, type QueryResponse } from '@/postgres/run-query'
import { addHistory, loadHistory, saveHistory } from './tabs'

export const ROW_LIMITS = [1000, 10_000, 100_000] as const

export interface Failure {
  error: Error
  refusal: DatabaseRefusal | undefined
}

interface RunRequest {
  query: string
  isReadOnly: boolean
  limit: number
  /** Whether the result is a plan. */
  isPlan: boolean
}

export interface Run {
  isRunning: boolean
  response: QueryResponse | null
  isPlan: boolean
  failure: Failure | null
  start: (request: RunRequest) => Promise<Failure | null>
  cancel: () => void
}

interface State {
  isRunning: boolean
  response: QueryResponse | null
  isPlan: boolean
  failure: Failure | null
}

export function useRun(): Run {
  const [state, setState] = useState<State>({ isRunning: false, response: null, isPlan: false, failure: null })
  const controller = useRef<AbortController | null>(null)
  const start = async ({ query, isReadOnly, limit, isPlan }: RunRequest): Promise<Failure | null> => {
    controller.current?.abort()
    const ownController = new AbortController()
    controller.current = ownController
    setState((before) => ({ ...before, isRunning: true, failure: null }))
    const since = performance.now()
    const remember = (rows: number | null): void => {
      if (isPlan) return
      const entry = {
        at: new Date().toISOString(),
        text: query.trim(),
        milliseconds: Math.round(performance.now() - since),
        rows,
      }
      saveHistory(addHistory(loadHistory(), entry))
    }
    try {
      const response = await runQuery({
        query,
        isReadOnly,
        maxRows: limit,
        timeout: 300_000,
        signal: ownController.signal,
      })
      remember(response.row_count)
      if (controller.current === ownController) setState({ isRunning: false, response, isPlan, failure: null })
      return null
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      const failure = { error, refusal: databaseRefusalOf(error) }
      const isCancelled = ownController.signal.aborted
      if (!isCancelled) remember(null)
      if (controller.current === ownController)
        setState({ isRunning: false, response: null, isPlan: false, failure: isCancelled ? null : failure })
      return isCancelled ? null : failure
    }
  }
  return { ...state, start, cancel: () => controller.current?.abort() }
}
