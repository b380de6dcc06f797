export function misplacedSigns(text: string): string[]
export function proseOf(markdown: string): string
