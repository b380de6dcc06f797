import { Example } from '@/features/kit/example'
import { Button, ButtonLink, IconButton } from '@/components/ui/button'

const LOOKS = ['primary', 'secondary', 'quiet', 'danger'] as const

export function Section() {
  return (
    <>
      {LOOKS.map((variant) => (
        <Example key={variant} title={variant}>
          <Button variant={variant} size="small">
            Small
          </Button>
          <Button variant={variant} icon="plus">
            With an icon
          </Button>
          <Button variant={variant} size="large">
            Large
          </Button>
          <Button variant={variant} busy>
            Busy
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
          <IconButton variant={variant} icon="heart" label={`Icon, ${variant}`} />
          <ButtonLink variant={variant} to="/dev/kit">
            A link
          </ButtonLink>
        </Example>
      ))}
    </>
  )
}
