import * as v from 'valibot'
import { expect, it } from 'vitest'
import { changed, missingParticulars, settingsSchema, valuesOf } from './settings'

const STORED = {
  site_name: 'Palmarès',
  registration_open: true,
  auto_approve_servers: true,
  base_server_limit: 3,
  vote_cooldown_seconds: 7200,
  vote_limit_address_hour: 60,
  vote_limit_address_day: 300,
  vote_limit_network_hour: 60,
  vote_limit_server_minute: 1200,
  prestige_pass_votes_per_day: 1000,
  competitive_event_finalize_after_hours: 24,
  tax_basis_points: 2000,
  withdrawal_days: 14,
  seller_name: 'Palmarès SAS',
}

it('writes what changed and nothing else', () => {
  const before = valuesOf(STORED)
  expect(changed(before, before)).toEqual([])
  expect(changed(before, { ...before, autoApproveServers: false, registrationOpen: false, siteName: 'P"' })).toEqual([
    { setting_key: 'site_name', setting_value: '"P\\""' },
    { setting_key: 'registration_open', setting_value: 'false' },
    { setting_key: 'auto_approve_servers', setting_value: 'false' },
  ])
})

it('holds the bounds of the database', () => {
  const values = valuesOf(STORED)
  expect(v.is(settingsSchema, values)).toBe(true)
  for (const wrong of [
    { siteName: ' ' },
    { voteCooldownSeconds: 59 },
    { withdrawalDays: 13 },
    { taxBasisPoints: null },
  ])
    expect(v.is(settingsSchema, { ...values, ...wrong }), JSON.stringify(wrong)).toBe(false)
})

it('names the particulars that are not said', () => {
  const missing = missingParticulars(valuesOf(STORED))
  expect(missing).toContain('sellerAddress')
  expect(missing).toContain('contactEmail')
  expect(missing).not.toContain('sellerName')
})
