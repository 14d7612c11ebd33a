import { cleanText } from '../base/clean-text.ts'
import type { Paint } from '../terminal/paint.ts'
import type { Change } from './change.ts'

/** Formats a change as a line. */
export function changeLine({ kind, workflowId, stepId, path, message }: Change, paint: Paint): string {
  const label = kind.padEnd(8)
  const coloredLabel =
    kind === 'breaking' ? paint.red(label) : kind === 'notice' ? paint.yellow(label) : paint.green(label)
  const place = [workflowId, stepId, path].filter((part) => part !== undefined && part !== '').join(' › ')
  return cleanOf(`${coloredLabel}  `, `${place}: ${message}`)
}

const cleanOf = (label: string, text: string): string => `${label}${cleanText(text)}`
