import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { StateMessage } from '@/components/ui/state-message'
import { showToast } from '@/components/ui/toast-store'
import { Example } from '@/features/kit/example'

export function Section() {
  return (
    <>
      <Example title="Toasts: one at a time">
        <Button onClick={() => showToast({ title: 'Saved', description: 'Everybody sees it now.' })}>Plain</Button>
        <Button onClick={() => showToast({ tone: 'success', title: 'Address copied' })}>Success</Button>
        <Button onClick={() => showToast({ tone: 'danger', title: 'Not saved', description: 'Try again.' })}>
          Danger
        </Button>
        <Button
          onClick={() =>
            showToast({
              title: 'Review deleted',
              duration: 10_000,
              action: { label: 'Undo', onSelect: () => showToast({ title: 'It is back' }) },
            })
          }
        >
          With a way back
        </Button>
      </Example>
      <Example title="Progress">
        <Progress label="Uploading" value={40} />
        <Progress label="Votes" value={7} max={10} tone="gold" text="7 of 10 votes" />
        <Progress label="Waiting" value={null} />
      </Example>
      <Example title="Copy">
        <CopyButton text="play.loupgarde.example" />
        <CopyButton text="s3cr3t" variant="quiet" size="small" label="Copy the key">
          Copy the key
        </CopyButton>
      </Example>
      <Example title="On its way">
        <Skeleton width="60%" />
        <Skeleton width="100%" height="4rem" radius="var(--radius-lg)" />
      </Example>
      <Example title="States">
        {(['empty', 'failed', 'lost', 'locked', 'soon'] as const).map((drawing) => (
          <StateMessage key={drawing} drawing={drawing} title={drawing} actions={<Button>What to do next</Button>}>
            Why it is so, in a sentence.
          </StateMessage>
        ))}
      </Example>
    </>
  )
}
