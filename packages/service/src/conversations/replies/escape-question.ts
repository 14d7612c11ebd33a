import type { AskedQuestion } from './reply-schema.ts'

/**
 * Invisible characters, and characters that change how others are displayed: direction marks, zero-width characters,
 * unusual line breaks.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu

const escapeHidden = (text: string): string =>
  text.replaceAll(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

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
    text: escapeHidden(text),
    options: options?.map(({ value, label }) => ({ value, label: escapeHidden(label) })),
    labels: labels && {
      ...(labels.approve !== undefined && { approve: escapeHidden(labels.approve) }),
      ...(labels.reject !== undefined && { reject: escapeHidden(labels.reject) }),
    },
  }
}
