import { escapeHidden } from '@trestle/html/escape'
import type { AskedQuestion } from './reply-schema.ts'

const keptCharacters = '\n\t'

/**
 * Returns the visible text of a question, with invisible characters escaped as `\u202e`. A model may have written it
 * under the influence of untrusted text, so users must see what they approve, on every platform.
 */
export function escapeQuestion({
  text,
  options,
  labels,
}: AskedQuestion): Pick<AskedQuestion, 'text' | 'options' | 'labels'> {
  return {
    text: escapeHidden(text, keptCharacters),
    options: options?.map(({ value, label }) => ({ value, label: escapeHidden(label, keptCharacters) })),
    labels: labels && {
      ...(labels.approve !== undefined && { approve: escapeHidden(labels.approve, keptCharacters) }),
      ...(labels.reject !== undefined && { reject: escapeHidden(labels.reject, keptCharacters) }),
    },
  }
}
