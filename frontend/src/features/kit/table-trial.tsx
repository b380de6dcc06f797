/**
 * A sample of an administration page for measurements: a table of games and a form for one game.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { TextField } from '@/components/form/text-field'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import { requiredText, wholeNumber } from '@/lib/text/rules'
import { catalogueQuery, saveGameMutation, fetchAllCatalogue, type CatalogueGame } from './api/catalogue'
import styles from './kit-page.module.css'

const SPEC = {
  sorts: ['name', 'default_port', 'sort_order'],
  sort: 'name',
  filters: { name: 'text', kind: ['steam', 'other'] },
  sizes: [10, 25],
} as const
const KINDS = [
  { value: 'steam', label: 'On Steam' },
  { value: 'other', label: 'Elsewhere' },
]
const COLUMNS: Column<CatalogueGame>[] = [
  { id: 'name', title: 'Game', sorts: true, cell: (game) => game.name, csv: (game) => game.name },
  { id: 'kind', title: 'Where', cell: (game) => <Badge>{game.is_steam ? 'Steam' : 'Elsewhere'}</Badge> },
  { id: 'default_port', title: 'Port', sorts: true, numeric: true, cell: portOf, csv: (game) => game.default_port },
  { id: 'sort_order', title: 'Place', sorts: true, numeric: true, cell: (game) => game.sort_order },
]
const GAME = v.object({ name: requiredText(60), sort_order: wholeNumber({ min: 0, max: 1000 }) })

function portOf(game: CatalogueGame) {
  return game.default_port ?? '–'
}

export function TableTrial() {
  const table = useTableState(SPEC)
  const games = useQuery(catalogueQuery(table.state))
  const [edited, setEdited] = useState<CatalogueGame | null>(null)
  const [copied, setCopied] = useState('')
  useDocumentHead({ title: 'Table | Palmarès', description: 'A page made only to try the kit.' })
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Games</h1>
      <DataTable
        label="Games"
        columns={COLUMNS}
        table={table}
        query={games}
        rowId={(game) => game.id}
        rowName={(game) => game.name}
        actions={(game) => [{ label: 'Edit', icon: 'edit', onSelect: () => setEdited(game) }]}
        bulk={(rows, clear) => (
          <>
            <Button size="small" onClick={() => setCopied(rows.map(({ name }) => name).join(', '))}>
              Name them
            </Button>
            <Button size="small" variant="quiet" onClick={clear}>
              Clear
            </Button>
          </>
        )}
        filters={
          <>
            <TextFilter table={table} name="name" label="Name" />
            <ChoiceFilter table={table} name="kind" label="Where" all="Anywhere" choices={KINDS} />
          </>
        }
        empty="No game yet."
        failed="The games could not be read."
        file={{ name: 'games', rows: () => fetchAllCatalogue(table.state) }}
      />
      {copied && <p role="status">{copied}</p>}
      {edited && <GameDialog game={edited} onClose={() => setEdited(null)} />}
    </div>
  )
}

function GameDialog({ game, onClose }: { game: CatalogueGame; onClose: () => void }) {
  const save = useMutation(saveGameMutation())
  return (
    <EntityDialog
      title={`Edit ${game.name}`}
      action="Save"
      onClose={onClose}
      schema={GAME}
      defaults={{ name: game.name, sort_order: game.sort_order }}
      submit={(values) => save.mutateAsync({ id: game.id, ...values })}
      refusals={{ '23505': 'name' }}
    >
      <TextField name="name" label="Name" limit={60} firstFocus />
      <NumberField name="sort_order" label="Place" />
    </EntityDialog>
  )
}
