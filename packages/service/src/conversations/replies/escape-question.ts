import type { AskedQuestion } from './reply-schema.ts'

/** Characters that are not seen, or that change how others are read: marks of direction, of no width, other line ends. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u2800\u3164\uffa0]/gu

const escapeHidden = (text: string): string =>
  text.replaceAll(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/**
 * Returns what people read of a question, with characters that are not seen written out as `\u202e`. A model may have
 * written it, led by a text of a stranger: what is answered must be what is seen, on every platform.
 *
 * @param question - The question.
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
