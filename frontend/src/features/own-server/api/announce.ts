import type { Language } from '@/lib/i18n/languages'
import { ownFunctions } from '@/lib/api/functions'

/** Has a new server announced where the site's community meets; whether it was is nobody's trouble here. */
export function announceServer(serverId: string, language: Language): void {
  void ownFunctions()
    .then((functions) =>
      functions.invoke('social-media-notify', {
        body: { serverId, userLanguage: language },
        headers: { 'x-rs-language': language, 'x-rs-route-lang': document.documentElement.lang },
      }),
    )
    .catch(() => {})
}
