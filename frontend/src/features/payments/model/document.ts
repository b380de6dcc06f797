/** The content of a receipt or a credit note at the time of its creation. */

export interface Subject {
  kind: 'prestige' | 'arcade'
  /** As stored; null for a purchase without a server. */
  server: string | null
  position: number | null
  starts: string | null
  ends: string | null
  /** The receipt to which a credit note belongs. */
  receipt: number | null
}

export interface Seller {
  name: string
  address: string
  taxId: string
  taxNote: string
}

export function readSubject(json: unknown): Subject {
  const fields = fieldsOf(json)
  return {
    kind: fields.kind === 'arcade' ? 'arcade' : 'prestige',
    server: textOf(fields.server) || null,
    position: numberOf(fields.position),
    starts: textOf(fields.starts) || null,
    ends: textOf(fields.ends) || null,
    receipt: numberOf(fields.receipt),
  }
}

export function readSeller(json: unknown): Seller {
  const fields = fieldsOf(json)
  return {
    name: textOf(fields.name),
    address: textOf(fields.address),
    taxId: textOf(fields.tax_id),
    taxNote: textOf(fields.tax_note),
  }
}

/** The printed number: six digits at least. */
export function documentNumber(number: number): string {
  return String(number).padStart(6, '0')
}

function fieldsOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
