import { expect, it } from 'vitest'
import { shownEvents, type PageEvent } from './events'

const NOW = Date.parse('2026-11-21T12:00:00Z')

function event(id: string, start: string, end: string): PageEvent {
  const none = {
    title_fr: null,
    title_en: null,
    title_es: null,
    description_fr: null,
    description_en: null,
    description_es: null,
  }
  return { id, start_date: start, end_date: end, event_types: null, ...none }
}

it('sorts live events first and omits ended', () => {
  const all = [
    event('late', '2026-12-10', '2026-12-11'),
    event('over', '2026-11-01', '2026-11-02'),
    event('soon', '2026-11-22', '2026-11-23'),
    event('live', '2026-11-20', '2026-11-30'),
  ]
  expect(shownEvents(all, NOW).map((row) => row.id)).toEqual(['live', 'soon', 'late'])
})
