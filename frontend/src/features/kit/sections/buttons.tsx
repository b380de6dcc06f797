import { Example } from '@/features/kit/example'
import { Button, ButtonLink, IconButton } from '@/components/ui/button'

const LOOKS = ['primary', 'secondary', 'quiet', 'danger'] as const

export function Section() {
  return (
    <>
      {LOOKS.map((look) => (
        <Example key={look} title={look}>
          <Button look={look} size="small">
            Small
          </Button>
          <Button look={look} icon="plus">
            With an icon
          </Button>
          <Button look={look} size="large">
            Large
          </Button>
          <Button look={look} busy>
            Busy
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <IconButton look={look} icon="heart" label={`Icon, ${look}`} />
          <ButtonLink look={look} to="/dev/kit">
            A link
          </ButtonLink>
        </Example>
      ))}
    </>
  )
}
