export function misplacedSpaces(text: string): string[]
export function proseOf(markdown: string): string
