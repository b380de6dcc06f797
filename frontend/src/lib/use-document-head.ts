/**
 * Title and description of the page after a navigation inside the app. The first page's were written by the server
 * from the same texts (`locales/<language>/seo.json`).
 */
import { useEffect } from 'react'

export function useDocumentHead({ title, description }: { title: string; description?: string }): void {
  useEffect(() => {
    document.title = title
    if (description === undefined) return
    let tag = document.head.querySelector<HTMLMetaElement>('meta[name="description"]')
    if (tag === null) {
      tag = document.createElement('meta')
      tag.name = 'description'
      document.head.append(tag)
    }
    tag.content = description
  }, [title, description])
}
