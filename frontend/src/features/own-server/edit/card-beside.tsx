import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNow } from '@/components/ui/use-now'
import { type Game } from '@/entities/game/queries'
import { tagsQuery } from '@/entities/tag/queries'
import type { OwnServer } from '../api/own-server'
import { placeQuery } from '../api/place'
import { LivePreview } from '../components/live-preview'
import styles from '../components/server-form.module.css'
import type { CardDraft } from '../model/card-draft'
import { prestigeEnd } from '../model/prestige-status'
import { valuesOf } from '../model/server-form'

export type CardRenderer = (draft: CardDraft) => ReactNode

/** The card of an existing server with the form's unsaved values. */
export function CardBeside({
  renderCard,
  server,
  games,
}: {
  renderCard: CardRenderer
  server: OwnServer
  games: readonly Game[]
}) {
  const now = useNow(60_000)
  const tags = useQuery(tagsQuery())
  const place = useQuery(placeQuery(server.id))
  const known = {
    base: valuesOf(server),
    games,
    tags: tags.data,
    row: server,
    place: place.data ?? 1,
    isPrestige: prestigeEnd(server, now) !== null,
  }
  return (
    <div className={styles.aside}>
      <LivePreview renderCard={renderCard} known={known} />
    </div>
  )
}
