import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './code-block.module.css'

/** A piece of code with a button that copies it. */
export function CodeBlock({ code, label, maxHeight }: { code: string; label: string; maxHeight?: number }) {
  return (
    <div className={classes.block}>
      <pre className={classes.code} style={{ maxHeight }} tabIndex={0} role="group" aria-label={label}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyIcon value={code} label={label} />
      </div>
    </div>
  )
}

/** Copies `value`; `label` names it. */
function CopyIcon({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation('shared')
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy')} position="left">
          <ActionIcon
            variant="default"
            size="md"
            onClick={copy}
            aria-label={copied ? t('copied') : t('copyNamed', { label })}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

/** A line to copy: an address, a key. */
export function CopyLine({ value, label }: { value: string; label: string }) {
  return (
    <div className={classes.line}>
      <code className={classes.value} title={value}>
        {value}
      </code>
      <CopyIcon value={value} label={label} />
    </div>
  )
}
