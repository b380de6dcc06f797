/**
 * How the ranking works: what decides a server's place, what is paid for, and how that is marked.
 */
import { config } from '@/lib/config'
import { formatDuration } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { HOW_RANKING, reading } from './articles'

const Read = reading(HOW_RANKING)

export function HowRankingPage() {
  const language = useLanguage()
  return <Read words={{ cooldown: formatDuration(config.voteCooldownSeconds, language) }} />
}
