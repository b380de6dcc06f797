import type { Language } from '@/lib/i18n/languages'

/** Where the server draws the social card of a page (`crates/site-pages/src/card.rs`). */
export function cardOf(language: Language, kind: 'server' | 'game' | 'shortcut' | 'event', name: string): string {
  return `/cards/${language}/${kind}/${name}.png`
}
