import { describe, expect, it } from 'vitest'
import { spotAt, spotState, websiteOf, type ArcadeSpot } from './arcade'

const spot: ArcadeSpot = {
  id: 'a',
  position: 1,
  start_date: '2026-11-10',
  end_date: '2026-11-20',
  image_url: '/a.png',
  website_url: 'https://astra.test',
  status: 'paid',
  servers: null,
}

describe('an arcade spot', () => {
  it('is found by position and date', () => {
    const next = { ...spot, id: 'b', start_date: '2026-11-21', end_date: '2026-11-25' }
    expect(spotAt([spot, next], 1, '2026-11-15')?.id).toBe('a')
    expect(spotAt([spot, next], 1, '2026-11-21')?.id).toBe('b')
    expect(spotAt([spot, next], 2, '2026-11-15')).toBeUndefined()
    expect(spotAt([spot], 1, '2026-11-21')).toBeUndefined()
  })

  it('is live when active or once started', () => {
    expect(spotState(spot, '2026-11-10')).toBe('live')
    expect(spotState(spot, '2026-11-09')).toBe('reserved')
    expect(spotState({ ...spot, status: 'active' }, '2026-11-01')).toBe('live')
    expect(spotState({ ...spot, status: 'suspended' }, '2026-11-15')).toBe('suspended')
  })

  it('never links to a non-web address', () => {
    expect(websiteOf(spot)).toBe('https://astra.test')
    expect(websiteOf({ ...spot, website_url: 'javascript:alert(1)' })).toBeNull()
    expect(websiteOf({ ...spot, website_url: null })).toBeNull()
  })
})
