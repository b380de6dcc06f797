import { CheckoutReturn } from '@/components/checkout/checkout-return'
import type { PaymentState } from '@/components/checkout/payment-state'
import { CodeBlock, CodeTabs } from '@/components/code/code-block'
import { ButtonLink } from '@/components/ui/button'
import { paymentKeys } from '@/entities/payment/keys'
import { Example } from '@/features/kit/example'

const STATES: readonly (PaymentState | null)[] = ['open', 'paid', 'failed', 'expired', 'toRefund', 'refunded', null]

export function Section() {
  return (
    <>
      <Example title="Code">
        <CodeBlock label="Check a vote" code={'const answer = await fetch("/servers/TOKEN/votes/203.0.113.7")'} />
        <CodeTabs
          label="Check a vote"
          versions={[
            { language: 'curl', code: 'curl https://palmares.test/servers/TOKEN/votes/203.0.113.7' },
            {
              language: 'PHP',
              code: "<?php\n$vote = file_get_contents('https://palmares.test/servers/TOKEN/votes/1');",
            },
          ]}
        />
      </Example>
      {STATES.map((state) => (
        <Example key={state} title={`Back from a payment: ${state ?? 'without one'}`}>
          <CheckoutReturn
            sessionId={state && `kit-${state}`}
            payment={(id) => ({ queryKey: paymentKeys.own(id), queryFn: () => Promise.resolve(state && { state }) })}
            actions={() => <ButtonLink to="/profile">My purchases</ButtonLink>}
          >
            {() => <p>30 days of Prestige for Loupgarde.</p>}
          </CheckoutReturn>
        </Example>
      ))}
    </>
  )
}
