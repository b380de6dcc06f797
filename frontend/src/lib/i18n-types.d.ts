/** French is the source: its files type the keys. One line per namespace; the check compares with the folder. */
import 'i18next'
import type coming from '../../locales/fr/coming-soon.json'
import type games from '../../locales/fr/games.json'
import type home from '../../locales/fr/home.json'
import type notFound from '../../locales/fr/not-found.json'
import type ranking from '../../locales/fr/ranking-list.json'
import type search from '../../locales/fr/search.json'
import type seo from '../../locales/fr/seo.json'
import type shell from '../../locales/fr/shell.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: false
    resources: {
      'coming-soon': typeof coming
      games: typeof games
      home: typeof home
      'not-found': typeof notFound
      'ranking-list': typeof ranking
      search: typeof search
      seo: typeof seo
      shell: typeof shell
    }
  }
}
