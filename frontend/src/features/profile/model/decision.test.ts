import { expect, it } from 'vitest'
import type { Decision } from '../api/decisions'
import { reasonOf } from '@/entities/moderation/rules'
import { appealState, decisionWord } from './decision'

const DECIDED: Decision = {
  id: 'c',
  label: 'Astra',
  decision: 'disabled',
  sanction: null,
  until: null,
  reason: 'personal_data',
  statement: 'Votre fiche nomme un joueur.',
  decided_at: '2026-05-10T10:00:00Z',
  taken_back_at: null,
  appealed_at: null,
  appeal_decision: null,
  appeal_statement: null,
}

it.each([
  ['within half a year', {}, '2026-11-09', 'open'],
  ['later', {}, '2026-11-11', 'closed'],
  ['once it is taken back', { taken_back_at: '2026-05-11' }, '2026-05-12', 'closed'],
  ['once there is one', { appealed_at: '2026-05-11' }, '2027-05-12', 'waiting'],
  ['once it changed nothing', { appealed_at: '2026-05-11', appeal_decision: 'upheld' }, '2026-05-12', 'upheld'],
  ['once it was right', { appealed_at: '2026-05-11', appeal_decision: 'overturned' }, '2026-05-12', 'overturned'],
])('tells how an appeal stands %s', (_, change, at, state) => {
  expect(appealState({ ...DECIDED, ...change }, Date.parse(at))).toBe(state)
})

it('has words for what was decided and why', () => {
  expect([decisionWord(DECIDED), reasonOf(DECIDED.reason)]).toEqual(['disabled', 'personal_data'])
  expect(decisionWord({ ...DECIDED, sanction: 'ban' })).toBe('ban')
  expect([decisionWord({ ...DECIDED, decision: 'new' }), reasonOf('new')]).toEqual(['sanctioned', 'other'])
})
