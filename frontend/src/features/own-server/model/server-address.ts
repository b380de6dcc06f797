const OCTET = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const IPV4 = new RegExp(`^(${OCTET}\\.){3}${OCTET}(:[0-9]{1,5})?$`)
const FOUR_NUMBERS = /^\d+\.\d+\.\d+\.\d+(:.*)?$/
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$/

/**
 * An IPv4 address or a host name, either with an optional port; four numbers with dots are never a
 * name.
 */
export function isServerAddress(text: string): boolean {
  return (FOUR_NUMBERS.test(text) ? IPV4 : HOST).test(text)
}
