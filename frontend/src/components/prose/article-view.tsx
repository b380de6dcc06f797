/** A page of prose with its table of contents beside it. Import lazily. */
import type { ReactNode } from 'react'
import { CodeBlock, CodeTabs } from '@/components/code/code-block'
import { PageHeader } from '@/components/ui/page-header'
import type { Article, ArticleBlock } from './article'
import { Callout } from './callout'
import { Contents } from './contents'
import { Prose } from './prose'
import { Steps } from './steps'
import styles from './article-view.module.css'

/** From so many headings on a page has a table of contents. */
const MANY = 3

interface ArticleViewProps {
  article: Article
  /** Shown before the text. */
  top?: ReactNode
}

export function ArticleView({ article, top }: ArticleViewProps) {
  const { title, headings, blocks } = article
  return (
    <article className={styles.page}>
      <PageHeader title={title} />
      {headings.length >= MANY && (
        <div className={styles.side}>
          <Contents headings={headings} />
        </div>
      )}
      <div className={styles.text}>
        {top}
        <Blocks blocks={blocks} />
      </div>
    </article>
  )
}

function Blocks({ blocks }: { blocks: readonly ArticleBlock[] }) {
  return blocks.map((block, index) => <Block key={index} block={block} />)
}

function Block({ block }: { block: ArticleBlock }) {
  switch (block.kind) {
    case 'html':
      return <Prose html={block.html} />
    case 'callout':
      return (
        <Callout tone={block.tone}>
          <Blocks blocks={block.blocks} />
        </Callout>
      )
    case 'steps':
      return (
        <Steps
          steps={block.steps.map((step, index) => (
            <Blocks key={index} blocks={step} />
          ))}
        />
      )
    case 'code': {
      const [only, ...rest] = block.versions
      if (rest.length === 0) return <CodeBlock label={block.label} code={only.code} />
      return <CodeTabs label={block.label} versions={block.versions} />
    }
  }
}
