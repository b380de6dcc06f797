/** What the vote API answers, with examples, and a form that asks it. */
import { apiOrigin, config } from '@/lib/config'
import { formatDuration } from '@/lib/format'
import { useLanguage } from '@/lib/use-language'
import { API_DOCS, reading } from './articles'
import { TryIt } from './components/try-it'

const Read = reading(API_DOCS)

export function ApiDocsPage() {
  const language = useLanguage()
  const cooldown = formatDuration(config.voteCooldownSeconds, language)
  return <Read words={{ origin: apiOrigin, cooldown }} top={<TryIt />} />
}
