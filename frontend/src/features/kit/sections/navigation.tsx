import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { Pagination } from '@/components/ui/pagination'
import { TabLinks } from '@/components/ui/tab-links'
import { Tabs } from '@/components/ui/tabs'
import { Example } from '@/features/kit/example'

const PARTS = [
  { name: 'facts', label: 'Facts', panel: <p>What it is.</p> },
  { name: 'votes', label: 'Votes', panel: <p>How it stands.</p> },
  { name: 'reviews', label: 'Reviews', panel: <p>What is said of it.</p> },
] as const

export function Section() {
  const [part, setPart] = useState<(typeof PARTS)[number]['name']>('facts')
  return (
    <>
      <Example title="Tabs of one page">
        <Tabs label="Parts" value={part} onValueChange={setPart} tabs={PARTS} />
      </Example>
      <Example title="Pages in the look of tabs">
        <TabLinks
          label="Pages"
          tabs={[
            { to: '/dev/kit/navigation', label: 'This one' },
            { to: '/dev/kit/buttons', label: 'Buttons' },
            { to: '/dev/kit/fields', label: 'Fields' },
          ]}
        />
      </Example>
      <Example title="Pages of a list">
        <Pagination label="Pages of servers" page={4} last={12} to={(page) => ({ search: `?page=${page}` })} />
      </Example>
      <Example title="Head of a page (its title is the page's one h1 elsewhere)">
        <PageHeader
          level="h2"
          title="Your servers"
          description="What you list here, and how it stands."
          actions={
            <Button variant="primary" icon="plus">
              Add a server
            </Button>
          }
        />
      </Example>
    </>
  )
}
