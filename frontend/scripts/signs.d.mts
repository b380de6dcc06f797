export function untypeset(text: string): string[]
