import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmButton } from '@/components/ui/confirm-button'
import { Dialog } from '@/components/ui/dialog'
import { Drawer } from '@/components/ui/drawer'
import { TextInput } from '@/components/ui/text-input'
import { showToast } from '@/components/ui/toast-store'
import { Example } from '@/features/kit/example'

export function Section() {
  const [open, setOpen] = useState<'dialog' | 'wide' | 'drawer' | null>(null)
  const close = (next: boolean) => !next && setOpen(null)
  return (
    <>
      <Example title="Dialog">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Button onClick={() => setOpen('wide')}>Open a wide one</Button>
        <Dialog open={open === 'dialog'} onOpenChange={close} title="Edit" description="What it is about, in a line.">
          <TextInput label="Name" defaultValue="Loupgarde" data-first-focus />
          <Button variant="primary" wide onClick={() => setOpen(null)}>
            Save
          </Button>
        </Dialog>
        <Dialog open={open === 'wide'} onOpenChange={close} title="Wide" wide>
          {Array.from({ length: 24 }, (_, line) => (
            <p key={line}>Line {line + 1} of something long, so that the window has to scroll.</p>
          ))}
        </Dialog>
      </Example>
      <Example title="Drawer">
        <Button onClick={() => setOpen('drawer')}>Open the drawer</Button>
        <Drawer open={open === 'drawer'} onOpenChange={close} title="Menu">
          <TextInput label="Find" type="search" />
        </Drawer>
      </Example>
      <Example title="Asks once">
        <ConfirmButton
          variant="danger"
          icon="trash"
          title="Delete this review?"
          text="Your review of Loupgarde goes for good."
          confirm="Delete the review"
          onConfirm={() => showToast({ tone: 'success', title: 'Review deleted' })}
        >
          Delete
        </ConfirmButton>
        <ConfirmButton
          title="Fails at first?"
          text="What fails leaves the question open."
          confirm="Try"
          onConfirm={() => Promise.reject(new Error('refused'))}
        >
          Fail
        </ConfirmButton>
      </Example>
    </>
  )
}
