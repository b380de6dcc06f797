import { useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { Icon } from '@/components/ui/icon'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '@/components/ui/menu'
import { Popover } from '@/components/ui/popover'
import { showToast } from '@/components/ui/toast-store'
import { Example } from '@/features/kit/example'

const say = (title: string) => () => showToast({ title })

const ORDERS = [
  { value: 'votes', label: 'Most votes' },
  { value: 'recent', label: 'Latest' },
  { value: 'clicks', label: 'Most clicks' },
] as const

export function Section() {
  const [order, setOrder] = useState<'votes' | 'recent' | 'clicks'>('votes')
  return (
    <>
      <Example title="Menu">
        <Menu trigger={<IconButton icon="more" variant="secondary" label="More about Loupgarde" />}>
          <MenuLink icon="eye" to="/dev/kit">
            Show
          </MenuLink>
          <MenuItem icon="star" onSelect={say('Featured')}>
            Feature
          </MenuItem>
          <MenuItem icon="flag" disabled onSelect={say('Never')}>
            Report
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon="trash" tone="danger" onSelect={say('Deleted')}>
            Delete
          </MenuItem>
        </Menu>
      </Example>
      <Example title="Popover">
        <Popover
          label="Filters"
          align="start"
          trigger={(button) => (
            <Button {...button} icon="filter">
              Filters
              <Icon name="chevron-down" size={16} />
            </Button>
          )}
        >
          {(close) => (
            <Button variant="quiet" wide onClick={close}>
              Close again
            </Button>
          )}
        </Popover>
      </Example>
      <Example title="Tooltip: rest on it, or reach it with Tab">
        <IconButton icon="heart" label="Add to favourites" />
        <IconButton icon="flag" label="Report" />
      </Example>
      <Example title="One of a few, inside a popover">
        <ChoiceList label="Order" titled value={order} onChange={setOrder} options={ORDERS} />
      </Example>
    </>
  )
}
