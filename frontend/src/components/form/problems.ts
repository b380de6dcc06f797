/**
 * Texts for problems of fields: our own for the codes of `lib/text/rules`, other messages of a
 * schema as they are.
 */
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { formatNumber } from '@/lib/i18n/format'
import { PROBLEMS, type Problem } from '@/lib/text/rules'

/** `tooLong:500` is a code with its limit; any other message is a text already. */
function readProblem(message: string): { problem: Problem; bound: number | undefined } | null {
  const [code, bound] = message.split(':', 2)
  const problem = PROBLEMS.find((known) => known === code)
  if (problem === undefined) return null
  return { problem, bound: bound === undefined ? undefined : Number(bound) }
}

export function useProblemWords(): (message: string | undefined) => string | undefined {
  const { t } = useTranslation('form')
  const language = useLanguage()
  return (message) => {
    if (message === undefined || message === '') return undefined
    const read = readProblem(message)
    if (read === null) return message
    const { problem, bound } = read
    return t(`problem.${problem}`, {
      count: bound ?? 0,
      bound: bound === undefined ? '' : formatNumber(bound, language),
    })
  }
}
