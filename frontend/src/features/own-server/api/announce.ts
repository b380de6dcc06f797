import type { Language } from '@/lib/i18n/languages'
import { ownFunctions } from '@/lib/api/functions'

/** Announces a new server in the site's community channel; a failure is ignored. */
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
