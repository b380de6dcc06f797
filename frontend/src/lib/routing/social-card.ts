import type { Language } from '@/lib/i18n/languages'

/**
 * The address of a page's social card, which the server draws (`crates/site-pages/src/card.rs`).
 */
export function cardOf(language: Language, kind: 'server' | 'game' | 'shortcut' | 'event', name: string): string {
  return `/cards/${language}/${kind}/${name}.png`
}
