/** When a server may be voted for again, as the site and this browser know it. Pure. */
interface VoteDueDate {
  id: string
  next_vote_at: string
}

/**
 * The later of both: the site knows the account's votes, the browser also those that it cast as a
 * guest.
 */
export function nextVoteOf(server: VoteDueDate, dueTimes: Readonly<Record<string, number>>): number {
  return Math.max(Date.parse(server.next_vote_at), dueTimes[server.id] ?? 0)
}

/** Servers that can be voted for now in their order, and the others, the soonest first. */
export function byTurn<Server extends VoteDueDate>(
  servers: readonly Server[],
  dueTimes: Readonly<Record<string, number>>,
  now: number,
): { ready: Server[]; waiting: Server[] } {
  const next = (server: Server): number => nextVoteOf(server, dueTimes)
  return {
    ready: servers.filter((server) => next(server) <= now),
    waiting: servers.filter((server) => next(server) > now).toSorted((a, b) => next(a) - next(b)),
  }
}

/** Votes grouped by day, in their order. */
export function byDay<Vote extends { voted_at: string }>(
  votes: readonly Vote[],
  dayOf: (moment: string) => string,
): { day: string; votes: Vote[] }[] {
  const days: { day: string; votes: Vote[] }[] = []
  for (const vote of votes) {
    const day = dayOf(vote.voted_at)
    const last = days.at(-1)
    if (last?.day === day) last.votes.push(vote)
    else days.push({ day, votes: [vote] })
  }
  return days
}
