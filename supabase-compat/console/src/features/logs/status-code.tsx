import { Badge } from '@mantine/core'

/** An HTTP status, colored by its class. */
export function StatusCode({ status }: { status: number }) {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : status >= 300 ? 'blue' : 'green'
  return (
    <Badge variant="light" color={colour} autoContrast>
      {status}
    </Badge>
  )
}
