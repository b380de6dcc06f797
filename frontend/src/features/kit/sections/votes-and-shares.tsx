import { ShareButton } from '@/components/ui/share-button'
import { VoteButton } from '@/components/vote/vote-button'
import { Example } from '@/features/kit/example'

const TARGET = { id: '00000000-0000-4000-8000-000000000000', name: 'Loupgarde', monthlyVotes: 1176 }

export function Section() {
  return (
    <>
      <Example title="Vote">
        <VoteButton target={TARGET} name="Loupgarde" size="large" />
        <VoteButton target={TARGET} name="Loupgarde" variant="tinted" />
        <VoteButton target={TARGET} name="Loupgarde" variant="tinted" size="small" />
      </Example>
      <Example title="Share">
        <ShareButton title="Loupgarde" url={location.origin} />
        <ShareButton title="Loupgarde" url={location.origin} variant="primary" size="large" />
      </Example>
    </>
  )
}
