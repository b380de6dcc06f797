import { describe, expect, it } from 'vitest'
import { eventToShow, phaseOf, votesTogether, type CompetitiveEvent } from './competitive-event'

const event: CompetitiveEvent = {
  id: 'now',
  name: 'Coupe',
  name_fr: 'Coupe',
  name_en: 'Cup',
  name_es: null,
  start_date: '2026-11-10T00:00:00Z',
  end_date: '2026-11-20T00:00:00Z',
  is_active: true,
  is_finished: false,
  is_success: null,
  total_votes: null,
  target_votes: 1000,
  winner_count: 3,
  prestige_days: 7,
}
const at = (text: string) => Date.parse(text)

describe('a competitive event', () => {
  it('is upcoming, active and ended in turn', () => {
    expect(phaseOf(event, at('2026-11-09T23:59:59Z'))).toBe('upcoming')
    expect(phaseOf(event, at('2026-11-10T00:00:00Z'))).toBe('active')
    expect(phaseOf(event, at('2026-11-20T00:00:00Z'))).toBe('ended')
  })

  it('is shown until ten minutes after its end', () => {
    const next = { ...event, id: 'next', start_date: '2026-12-01T00:00:00Z', end_date: '2026-12-05T00:00:00Z' }
    const later = { ...next, id: 'later', start_date: '2027-01-01T00:00:00Z', end_date: '2027-01-05T00:00:00Z' }
    const all = [later, next, event]
    expect(eventToShow(all, at('2026-11-15T00:00:00Z'))?.id).toBe('now')
    expect(eventToShow(all, at('2026-11-20T00:09:59Z'))?.id).toBe('now')
    expect(eventToShow(all, at('2026-11-20T00:10:00Z'))?.id).toBe('next')
    expect(eventToShow([event], at('2026-11-20T00:10:00Z'))).toBeUndefined()
    expect(eventToShow([{ ...event, is_finished: true }], at('2026-11-15T00:00:00Z'))).toBeUndefined()
  })

  it('counts the votes of its leaders together', () => {
    expect(votesTogether([{ votes_count: 3 }, { votes_count: 4 }])).toBe(7)
  })
})
