/** The response of a service: status, time, headers and body. */
import { Badge, Group, Stack, Tabs, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { CodeBlock } from './code-block'

/** A completely read response. */
export interface ServiceResponse {
  status: number
  statusText: string
  headers: [string, string][]
  /** The text of the body; only the beginning of a long one. */
  body: string
  isCut: boolean
  /** Bytes of the whole body. */
  size: number
  milliseconds: number
}

/** How many bytes are shown. */
const MAX_BODY_LENGTH = 256 * 1024
/** Headers that the console adds; they are not part of the service's response. */
const OWN_HEADERS =
  /^(content-security-policy|x-frame-options|referrer-policy|x-content-type-options|cross-origin-resource-policy|cache-control|vary)$/

export async function readResponse(send: () => Promise<Response>): Promise<ServiceResponse> {
  const begin = performance.now()
  const response = await send()
  const bytes = await response.arrayBuffer()
  const milliseconds = performance.now() - begin
  const text = new TextDecoder().decode(bytes.slice(0, MAX_BODY_LENGTH))
  const isCut = bytes.byteLength > MAX_BODY_LENGTH
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].filter(([name]) => !OWN_HEADERS.test(name)),
    body: isCut ? text : indented(text),
    isCut,
    size: bytes.byteLength,
    milliseconds,
  }
}

/** Indents JSON; other text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const colourOf = (status: number) => (status < 300 ? 'green' : status < 400 ? 'gray' : status < 500 ? 'yellow' : 'red')

export function ResponseView({ response }: { response: ServiceResponse }) {
  const { t } = useTranslation('shared')
  const { milliseconds, size } = useFormats()
  return (
    <Stack gap="xs" role="status" aria-label={t('answer.title')}>
      <Group gap="xs">
        <Badge variant="light" color={colourOf(response.status)} size="lg">
          {response.status} {response.statusText}
        </Badge>
        <Text size="sm" c="dimmed" className="figures">
          {milliseconds(response.milliseconds)} · {size(response.size)}
        </Text>
      </Group>
      <Tabs defaultValue="body">
        <Tabs.List>
          <Tabs.Tab value="body">{t('answer.body')}</Tabs.Tab>
          <Tabs.Tab value="headers">{t('answer.headers')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="body" pt="xs">
          {response.body === '' ? (
            <Text size="sm" c="dimmed">
              {t('answer.empty')}
            </Text>
          ) : (
            <CodeBlock code={response.body} label={t('answer.body')} maxHeight={360} />
          )}
          {response.isCut ? (
            <Text size="sm" c="dimmed" mt={4}>
              {t('answer.cut')}
            </Text>
          ) : null}
        </Tabs.Panel>
        <Tabs.Panel value="headers" pt="xs">
          <CodeBlock
            code={response.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            label={t('answer.headers')}
            maxHeight={360}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
