/** How to have votes sent to a Minecraft server. */
import { apiOrigin } from '@/lib/config'
import { VOTIFIER_GUIDE, reading } from './articles'

const Read = reading(VOTIFIER_GUIDE)

/** Plugins know a site by its host name. */
export const VotifierGuidePage = () => <Read words={{ host: new URL(apiOrigin).hostname }} />
