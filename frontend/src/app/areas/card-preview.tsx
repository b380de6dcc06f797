import type { CardDraft } from '@/features/own-server/model/card-draft'
import { EMPTY, columnsOf } from '@/features/own-server/model/server-form'
import { ServerCard } from '@/features/ranking-list/components/server-card'
import type { ListedServer } from '@/features/ranking-list/api/servers'
import { useTranslation } from '@/lib/i18n/i18n'

/** The values of a form, shown on the card of the ranking. */
export function CardPreview({ draft: { values, game, tags, row, place, isPrestige } }: { draft: CardDraft }) {
  const { t } = useTranslation('own-server')
  const server: ListedServer = {
    ...columnsOf({ ...EMPTY, ...values }),
    id: row?.id ?? '',
    slug: row?.slug ?? '',
    name: encodeStored(values.name?.trim() || t('preview.name')),
    description: encodeStored(values.description || t('preview.description')),
    ip_address: values.ip_address || 'N/A',
    owner_id: null,
    is_prestige: isPrestige,
    sponsor_tier: row?.sponsor_tier ?? null,
    online_players: row?.online_players ?? 0,
    max_players: row?.max_players ?? 100,
    is_online: row?.is_online ?? false,
    status_checked_at: row?.status_checked_at ?? null,
    monthly_votes: row?.monthly_votes ?? 0,
    rank: place,
    game_rank: place,
    day_rank: null,
    day_game_rank: null,
    // Until a game is chosen the card has none, like a server whose game was just closed.
    games: (game ? { ...game, nickname_pattern: null } : null) as ListedServer['games'],
  }
  return <ServerCard server={server} place={place} moved={0} medals={row !== null} tags={tags} events={undefined} />
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Encodes a text as it would be stored, so that components for stored texts can show it. */
function encodeStored(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
}
