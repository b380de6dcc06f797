/** The documentation of the vote API, with examples and a form that sends requests. */
import { apiOrigin, config } from '@/lib/config'
import { formatDuration, formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { API_DOCS, reading } from './articles'
import { TryIt } from './components/try-it'
import { paceOf, readLimits, type Limit } from './model/limits'

const Read = reading(API_DOCS)
const LIMITS = readLimits(document)

export function ApiDocsPage() {
  const language = useLanguage()
  const { t } = useTranslation('api-docs')
  const { byId, byToken } = LIMITS
  const pace = (limit: Limit): string => {
    const limitPace = paceOf(limit)
    if ('seconds' in limitPace) return t('pace.slow', { wait: formatDuration(limitPace.seconds, language) })
    return t('pace.second', { count: limitPace.perSecond, formatted: formatNumber(limitPace.perSecond, language) })
  }
  const words = {
    origin: apiOrigin,
    cooldown: formatDuration(config.voteCooldownSeconds, language),
    idBurst: formatNumber(byId.burst, language),
    idPace: pace(byId),
    tokenBurst: formatNumber(byToken.burst, language),
    tokenPace: pace(byToken),
    // The values of the headers in the examples.
    tokenLimit: String(byToken.burst),
    tokenLeft: String(Math.max(0, byToken.burst - 13)),
  }
  return <Read words={words} top={<TryIt />} />
}
