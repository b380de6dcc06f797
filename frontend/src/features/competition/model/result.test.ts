import { expect, it } from 'vitest'
import { courseOf, outcomeOf } from './result'

const EVENT = {
  start_date: '2026-11-10T00:00:00Z',
  end_date: '2026-11-20T00:00:00Z',
  is_finished: false,
  is_success: null,
  total_votes: null,
  target_votes: 100,
}
const at = (text: string) => Date.parse(text)
const standing = (place: number, votes_count: number) => ({ place, votes_count })

it('counts top-ten votes until finished, then stored votes', () => {
  const eleven = Array.from({ length: 11 }, (_, index) => standing(index + 1, 10))
  expect(outcomeOf(EVENT, eleven, at('2026-11-15T00:00:00Z'))).toEqual({ state: 'live', votes: 100, reached: true })
  const finished = { ...EVENT, is_finished: true, is_success: false, total_votes: 99 }
  expect(outcomeOf(finished, eleven, at('2026-11-21T00:00:00Z'))).toEqual({ state: 'ended', votes: 99, reached: false })
})

it('is upcoming, live, then ended by date', () => {
  const states = ['2026-11-09T00:00:00Z', '2026-11-15T00:00:00Z', '2026-11-21T00:00:00Z'].map(
    (now) => outcomeOf(EVENT, [], at(now)).state,
  )
  expect(states).toEqual(['upcoming', 'live', 'ended'])
})

it('lists daily places with null when absent', () => {
  const places = [
    { day: '2026-11-11', server_id: 'a', place: 2, votes_count: 5 },
    { day: '2026-11-10', server_id: 'a', place: 1, votes_count: 3 },
    { day: '2026-11-11', server_id: 'b', place: 1, votes_count: 9 },
  ]
  expect(courseOf(places, ['b', 'a', 'c'])).toEqual({
    days: ['2026-11-10', '2026-11-11'],
    rows: [
      { server: 'b', places: [null, 1], votes: [null, 9] },
      { server: 'a', places: [1, 2], votes: [3, 5] },
    ],
  })
})
