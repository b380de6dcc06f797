import { useMutation } from '@tanstack/react-query'
import { Form } from '@/components/form/form'
import { Submit } from '@/components/form/submit'
import { TextareaField } from '@/components/form/textarea-field'
import { useForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { decodeStored } from '@/lib/text/stored-text'
import { saveAnswerMutation } from '../api/answer-review'
import { answerSchema, MAX_ANSWER } from '../model/review'
import { ANSWER_REFUSALS } from '../model/review-refusals'

interface AnswerFormProps {
  reviewId: string
  author: string
  /** The changed reply, as stored; null for a new one. */
  reply: string | null
  onDone: () => void
}

/** The form for an owner's reply to a review. The input survives a refusal and a reload. */
export function AnswerForm({ reviewId, author, reply, onDone }: AnswerFormProps) {
  const { t } = useTranslation('server-page')
  const save = useMutation(saveAnswerMutation())
  const form = useForm({
    schema: answerSchema,
    defaults: { comment: reply === null ? '' : decodeStored(reply) },
    submit: (values) => save.mutateAsync({ reviewId, changes: reply !== null, ...values }),
    words: useRefusal(ANSWER_REFUSALS),
    onDone,
    draft: `review.answer${reply === null ? '' : '.change'}.${reviewId}`,
  })
  return (
    <Form form={form} label={t('reviews.answer.writeTo', { author })}>
      <TextareaField
        name="comment"
        label={t('reviews.answer.label')}
        help={t('reviews.answer.help')}
        limit={MAX_ANSWER}
        rows={3}
      />
      <Submit aside={<Button onClick={onDone}>{t('reviews.form.cancel')}</Button>}>
        {t(reply === null ? 'reviews.answer.submit' : 'reviews.form.save')}
      </Submit>
    </Form>
  )
}
