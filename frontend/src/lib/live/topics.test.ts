import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followQuiet } from './quiet'
import { createTopics } from './topics'

const joined: Record<string, () => void> = {}
const left: string[] = []
const openChannel = vi.fn((topic: string, { onJoined }: { onJoined: () => void }) => {
  joined[topic] = onJoined
  return () => left.push(topic)
})
const onMessage = vi.fn()
const onGap = vi.fn()

beforeEach(() => {
  openChannel.mockClear()
  left.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const settled = () => new Promise((done) => setTimeout(done))

it('joins wanted topics and leaves others', async () => {
  const topics = createTopics({ onMessage, onGap }, async () => ({ openChannel }))
  topics.want(['ranking', 'server:a'])
  await settled()
  topics.want(['server:a', 'server:b'])
  await settled()
  expect(openChannel.mock.calls.map(([topic]) => topic)).toEqual(['ranking', 'server:a', 'server:b'])
  expect(left).toEqual(['ranking'])
  topics.want([])
  expect(left).toEqual(['ranking', 'server:a', 'server:b'])
})

it('reports a gap when a topic rejoins', async () => {
  const topics = createTopics({ onMessage, onGap }, async () => ({ openChannel }))
  topics.want(['ranking'])
  await settled()
  joined.ranking!()
  expect(onGap).not.toHaveBeenCalled()
  joined.ranking!()
  expect(onGap).toHaveBeenCalledExactlyOnceWith('ranking')
})

it('skips topics dropped before the client loads', async () => {
  const topics = createTopics({ onMessage, onGap }, async () => ({ openChannel }))
  topics.want(['ranking'])
  topics.want([])
  await settled()
  expect(openChannel).not.toHaveBeenCalled()
})

it('retries after the client fails to load', async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValue({ openChannel })
  const topics = createTopics({ onMessage, onGap }, load)
  topics.want(['ranking'])
  await settled()
  topics.want(['ranking'])
  await settled()
  expect(openChannel).toHaveBeenCalledOnce()
})

it('becomes quiet after the tab is hidden', () => {
  vi.useFakeTimers()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const listener = vi.fn()
  const stop = followQuiet(listener)
  const become = (isHidden: boolean) => {
    hidden.mockReturnValue(isHidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  become(true)
  vi.advanceTimersByTime(2_000)
  become(false)
  vi.advanceTimersByTime(10_000)
  expect(listener).not.toHaveBeenCalled()
  become(true)
  vi.advanceTimersByTime(5_000)
  expect(listener).toHaveBeenLastCalledWith(true)
  become(false)
  expect(listener).toHaveBeenLastCalledWith(false)
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
})

it('is quiet with slow connection or data saving', async () => {
  const { isQuiet } = await import('./quiet')
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  for (const [connection, quiet] of [
    [{ effectiveType: '2g' }, true],
    [{ effectiveType: '4g', saveData: true }, true],
    [{ effectiveType: '4g' }, false],
  ] as const) {
    vi.stubGlobal('navigator', { ...navigator, connection })
    expect(isQuiet()).toBe(quiet)
  }
  vi.unstubAllGlobals()
})
