/** Types the keys of the texts. Written by scripts/check-locales.mjs; not to be edited. */
import 'i18next'
import type access from '../../locales/fr/access.json'
import type account from '../../locales/fr/account.json'
import type apiDocs from '../../locales/fr/api-docs.json'
import type areas from '../../locales/fr/areas.json'
import type auth from '../../locales/fr/auth.json'
import type checkout from '../../locales/fr/checkout.json'
import type comingSoon from '../../locales/fr/coming-soon.json'
import type creatorTools from '../../locales/fr/creator-tools.json'
import type errors from '../../locales/fr/errors.json'
import type favorites from '../../locales/fr/favorites.json'
import type form from '../../locales/fr/form.json'
import type games from '../../locales/fr/games.json'
import type hallOfFame from '../../locales/fr/hall-of-fame.json'
import type home from '../../locales/fr/home.json'
import type integrations from '../../locales/fr/integrations.json'
import type leaderboard from '../../locales/fr/leaderboard.json'
import type leads from '../../locales/fr/leads.json'
import type myVotes from '../../locales/fr/my-votes.json'
import type notFound from '../../locales/fr/not-found.json'
import type ownServer from '../../locales/fr/own-server.json'
import type pages from '../../locales/fr/pages.json'
import type profile from '../../locales/fr/profile.json'
import type prose from '../../locales/fr/prose.json'
import type rankingList from '../../locales/fr/ranking-list.json'
import type report from '../../locales/fr/report.json'
import type search from '../../locales/fr/search.json'
import type seo from '../../locales/fr/seo.json'
import type serverEvents from '../../locales/fr/server-events.json'
import type serverPage from '../../locales/fr/server-page.json'
import type shell from '../../locales/fr/shell.json'
import type table from '../../locales/fr/table.json'
import type tagProposal from '../../locales/fr/tag-proposal.json'
import type trouble from '../../locales/fr/trouble.json'
import type ui from '../../locales/fr/ui.json'
import type vote from '../../locales/fr/vote.json'
import type voteAgain from '../../locales/fr/vote-again.json'
import type weeklyMail from '../../locales/fr/weekly-mail.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: false
    resources: {
      access: typeof access
      account: typeof account
      'api-docs': typeof apiDocs
      areas: typeof areas
      auth: typeof auth
      checkout: typeof checkout
      'coming-soon': typeof comingSoon
      'creator-tools': typeof creatorTools
      errors: typeof errors
      favorites: typeof favorites
      form: typeof form
      games: typeof games
      'hall-of-fame': typeof hallOfFame
      home: typeof home
      integrations: typeof integrations
      leaderboard: typeof leaderboard
      leads: typeof leads
      'my-votes': typeof myVotes
      'not-found': typeof notFound
      'own-server': typeof ownServer
      pages: typeof pages
      profile: typeof profile
      prose: typeof prose
      'ranking-list': typeof rankingList
      report: typeof report
      search: typeof search
      seo: typeof seo
      'server-events': typeof serverEvents
      'server-page': typeof serverPage
      shell: typeof shell
      table: typeof table
      'tag-proposal': typeof tagProposal
      trouble: typeof trouble
      ui: typeof ui
      vote: typeof vote
      'vote-again': typeof voteAgain
      'weekly-mail': typeof weeklyMail
    }
  }
}
