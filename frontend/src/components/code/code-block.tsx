import { highlight } from 'sugar-high'
import { useState } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import styles from './code-block.module.css'

interface CodeBlockProps {
  code: string
  /** The title of the code, also the name of its copy button. */
  label: string
}

/** A few lines of code with a copy button. The highlighter escapes the code itself. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span>{label}</span>
        <CopyButton size="small" variant="quiet" text={code} />
      </figcaption>
      <Lines code={code} label={label} />
    </figure>
  )
}

/** Long lines scroll; the block is focusable so that a keyboard can scroll it. */
function Lines({ code, label }: CodeBlockProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be reachable by keyboard
    <pre className={styles.lines} tabIndex={0} role="region" aria-label={label}>
      <code dangerouslySetInnerHTML={{ __html: highlight(code) }} />
    </pre>
  )
}

export interface CodeVersion {
  /** For example `PHP` or `curl`. */
  language: string
  code: string
}

/** The same code in several languages, as tabs. */
export function CodeTabs({ label, versions }: { label: string; versions: readonly [CodeVersion, ...CodeVersion[]] }) {
  const [chosen, setChosen] = useState(versions[0].language)
  const version = versions.find(({ language }) => language === chosen) ?? versions[0]
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <div role="radiogroup" aria-label={label} className={styles.tabs}>
          {versions.map(({ language }) => (
            <label key={language} className={styles.tab}>
              <input
                className={styles.choice}
                type="radio"
                name={label}
                checked={language === version.language}
                onChange={() => setChosen(language)}
              />
              {language}
            </label>
          ))}
        </div>
        <CopyButton size="small" variant="quiet" text={version.code} />
      </figcaption>
      <Lines code={version.code} label={`${label} (${version.language})`} />
    </figure>
  )
}
