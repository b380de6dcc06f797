export function keyboardSubstitutes(text: string): string[]
