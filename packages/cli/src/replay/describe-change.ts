import { cleanText } from '../base/clean-text.ts'
import type { Paint } from '../terminal/paint.ts'
import type { Difference, FieldChange } from './difference.ts'

const contextLength = 40
const maxLength = 160
const maxFields = 8

/** Both values of a field as short texts that start shortly before the first difference. */
export interface Excerpts {
  readonly before: string
  readonly after: string
}

/** Returns short descriptions of a changed field. */
export function toExcerpts(change: Pick<FieldChange, 'before' | 'after'>): Excerpts {
  const [before, after] = [toText(change.before), toText(change.after)]
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  const from = start <= contextLength ? 0 : start - contextLength
  const cut = (text: string): string => {
    const head = from === 0 ? '' : '…'
    const rest = text.slice(from, from + maxLength)
    return head + rest + (text.length > from + maxLength ? '…' : '')
  }
  if (before === after && change.before !== undefined)
    return { before: cut(before), after: `${cut(after)} (differs in masked values)` }
  return { before: cut(before), after: cut(after) }
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '(none)' : JSON.stringify(value)
}

/** Returns a difference as lines: the step and what differs, then the changed fields. */
export function differenceLines(difference: Difference, paint: Paint): readonly string[] {
  const { kind, stepId, type, message, code, fields = [] } = difference
  const color = kind === 'changed' ? paint.yellow : kind === 'added' || kind === 'fixed' ? paint.green : paint.red
  const where = stepId === null ? 'workflow' : `${cleanText(stepId, 100)} (${type})`
  const what = [code, cleanText(message)].filter((text) => text !== undefined).join('  ')
  const lines = [`${color(kind.padEnd(8))}  ${where}: ${what}`]
  for (const field of fields.slice(0, maxFields)) {
    const { before, after } = toExcerpts(field)
    lines.push(`            ${cleanText(field.path, 200)}`)
    lines.push(
      `              ${paint.red(`- ${cleanText(before)}`)}`,
      `              ${paint.green(`+ ${cleanText(after)}`)}`,
    )
  }
  if (fields.length > maxFields) lines.push(`            … and ${fields.length - maxFields} more fields`)
  return lines
}
