import { ArticleView } from '@/components/prose/article-view'
import { Example } from '@/features/kit/example'
import article from '../../../../content/en/kit.md'
import styles from '../example.module.css'

export function Section() {
  return (
    <Example title="A page written in Markdown">
      <div className={styles.whole}>
        <ArticleView article={article} />
      </div>
    </Example>
  )
}
