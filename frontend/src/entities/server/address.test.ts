import { expect, test } from 'vitest'
import { isShownAddress } from './address'

test.each(['play.astra.fr', '192.0.2.1:25565'])('%s is shown', (address) => {
  expect(isShownAddress(address)).toBe(true)
})

test.each([null, undefined, '', ' ', 'N/A', 'n/a', '{ip}', 'set realmlist x.fr', 'logon.astra.fr', 'a'.repeat(30)])(
  '%j is hidden',
  (address) => {
    expect(isShownAddress(address)).toBe(false)
  },
)
