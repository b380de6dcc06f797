import { expect, it } from 'vitest'
import { paceOf, readLimits } from './limits'

const page = (settings: unknown) => {
  const element = document.createElement('script')
  element.textContent = typeof settings === 'string' ? settings : JSON.stringify(settings)
  return { getElementById: () => element }
}
const USUAL = { byId: { burst: 60, refillSeconds: 1 }, byToken: { burst: 1200, refillSeconds: 0.05 } }

it('reads the page’s limits or the defaults', () => {
  const byId = { burst: 7, refillSeconds: 30 }
  expect(readLimits(page({ questions: { byId } }))).toEqual({ ...USUAL, byId })
  for (const nothing of ['', '{', {}, { questions: { byId: { burst: -1, refillSeconds: 1 }, byToken: 3 } }]) {
    expect(readLimits(page(nothing))).toEqual(USUAL)
  }
})

it('expresses pace per second or in seconds', () => {
  expect(paceOf({ burst: 1, refillSeconds: 0.05 })).toEqual({ perSecond: 20 })
  expect(paceOf({ burst: 1, refillSeconds: 1 })).toEqual({ perSecond: 1 })
  expect(paceOf({ burst: 1, refillSeconds: 6 })).toEqual({ seconds: 6 })
})
