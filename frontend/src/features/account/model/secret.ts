/** A secret in groups of four, as apps ask for it. */
export function grouped(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}
