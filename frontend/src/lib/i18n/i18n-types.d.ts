/** Types the keys of the texts. Written by scripts/check-locales.mjs; not to be edited. */
import 'i18next'
import type access from '../../../locales/fr/access.json'
import type account from '../../../locales/fr/account.json'
import type adminArcade from '../../../locales/fr/admin-arcade.json'
import type adminCatalogue from '../../../locales/fr/admin-catalogue.json'
import type adminContests from '../../../locales/fr/admin-contests.json'
import type adminImages from '../../../locales/fr/admin-images.json'
import type adminModeration from '../../../locales/fr/admin-moderation.json'
import type adminMoney from '../../../locales/fr/admin-money.json'
import type adminOverview from '../../../locales/fr/admin-overview.json'
import type adminPageErrors from '../../../locales/fr/admin-page-errors.json'
import type adminSecurity from '../../../locales/fr/admin-security.json'
import type adminServers from '../../../locales/fr/admin-servers.json'
import type adminSettings from '../../../locales/fr/admin-settings.json'
import type adminStats from '../../../locales/fr/admin-stats.json'
import type adminUsers from '../../../locales/fr/admin-users.json'
import type adminVotes from '../../../locales/fr/admin-votes.json'
import type apiDocs from '../../../locales/fr/api-docs.json'
import type appeal from '../../../locales/fr/appeal.json'
import type arcade from '../../../locales/fr/arcade.json'
import type areas from '../../../locales/fr/areas.json'
import type auth from '../../../locales/fr/auth.json'
import type captcha from '../../../locales/fr/captcha.json'
import type checkout from '../../../locales/fr/checkout.json'
import type competition from '../../../locales/fr/competition.json'
import type creatorTools from '../../../locales/fr/creator-tools.json'
import type decisions from '../../../locales/fr/decisions.json'
import type errors from '../../../locales/fr/errors.json'
import type favorites from '../../../locales/fr/favorites.json'
import type form from '../../../locales/fr/form.json'
import type games from '../../../locales/fr/games.json'
import type hallOfFame from '../../../locales/fr/hall-of-fame.json'
import type home from '../../../locales/fr/home.json'
import type integrations from '../../../locales/fr/integrations.json'
import type leaderboard from '../../../locales/fr/leaderboard.json'
import type leads from '../../../locales/fr/leads.json'
import type legal from '../../../locales/fr/legal.json'
import type moderation from '../../../locales/fr/moderation.json'
import type myVotes from '../../../locales/fr/my-votes.json'
import type notFound from '../../../locales/fr/not-found.json'
import type ownServer from '../../../locales/fr/own-server.json'
import type pages from '../../../locales/fr/pages.json'
import type partners from '../../../locales/fr/partners.json'
import type payments from '../../../locales/fr/payments.json'
import type prestige from '../../../locales/fr/prestige.json'
import type profile from '../../../locales/fr/profile.json'
import type prose from '../../../locales/fr/prose.json'
import type publicReport from '../../../locales/fr/public-report.json'
import type rankingList from '../../../locales/fr/ranking-list.json'
import type report from '../../../locales/fr/report.json'
import type review from '../../../locales/fr/review.json'
import type search from '../../../locales/fr/search.json'
import type seo from '../../../locales/fr/seo.json'
import type seoAudit from '../../../locales/fr/seo-audit.json'
import type serverEvents from '../../../locales/fr/server-events.json'
import type serverPage from '../../../locales/fr/server-page.json'
import type shell from '../../../locales/fr/shell.json'
import type table from '../../../locales/fr/table.json'
import type tagProposal from '../../../locales/fr/tag-proposal.json'
import type trouble from '../../../locales/fr/trouble.json'
import type ui from '../../../locales/fr/ui.json'
import type visibility from '../../../locales/fr/visibility.json'
import type vote from '../../../locales/fr/vote.json'
import type voteAgain from '../../../locales/fr/vote-again.json'
import type voteOutcomes from '../../../locales/fr/vote-outcomes.json'
import type weeklyMail from '../../../locales/fr/weekly-mail.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: false
    resources: {
      access: typeof access
      account: typeof account
      'admin-arcade': typeof adminArcade
      'admin-catalogue': typeof adminCatalogue
      'admin-contests': typeof adminContests
      'admin-images': typeof adminImages
      'admin-moderation': typeof adminModeration
      'admin-money': typeof adminMoney
      'admin-overview': typeof adminOverview
      'admin-page-errors': typeof adminPageErrors
      'admin-security': typeof adminSecurity
      'admin-servers': typeof adminServers
      'admin-settings': typeof adminSettings
      'admin-stats': typeof adminStats
      'admin-users': typeof adminUsers
      'admin-votes': typeof adminVotes
      'api-docs': typeof apiDocs
      appeal: typeof appeal
      arcade: typeof arcade
      areas: typeof areas
      auth: typeof auth
      captcha: typeof captcha
      checkout: typeof checkout
      competition: typeof competition
      'creator-tools': typeof creatorTools
      decisions: typeof decisions
      errors: typeof errors
      favorites: typeof favorites
      form: typeof form
      games: typeof games
      'hall-of-fame': typeof hallOfFame
      home: typeof home
      integrations: typeof integrations
      leaderboard: typeof leaderboard
      leads: typeof leads
      legal: typeof legal
      moderation: typeof moderation
      'my-votes': typeof myVotes
      'not-found': typeof notFound
      'own-server': typeof ownServer
      pages: typeof pages
      partners: typeof partners
      payments: typeof payments
      prestige: typeof prestige
      profile: typeof profile
      prose: typeof prose
      'public-report': typeof publicReport
      'ranking-list': typeof rankingList
      report: typeof report
      review: typeof review
      search: typeof search
      seo: typeof seo
      'seo-audit': typeof seoAudit
      'server-events': typeof serverEvents
      'server-page': typeof serverPage
      shell: typeof shell
      table: typeof table
      'tag-proposal': typeof tagProposal
      trouble: typeof trouble
      ui: typeof ui
      visibility: typeof visibility
      vote: typeof vote
      'vote-again': typeof voteAgain
      'vote-outcomes': typeof voteOutcomes
      'weekly-mail': typeof weeklyMail
    }
  }
}
