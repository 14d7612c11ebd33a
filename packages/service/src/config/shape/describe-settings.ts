import type { Group, Row } from './kinds.ts'
import { shape } from './shape.ts'

/** One setting as the documentation has it. */
export interface DescribedSetting {
  /** The option, with the option that holds it, such as `inboundMail.port`. */
  readonly option: string
  /** The environment variable; empty if it is set by code only. */
  readonly variable: string
  /** The default, in Markdown; empty for options that hold others. */
  readonly defaultText: string
  /** What it does, in Markdown. */
  readonly text: string
  /** The settings that the option holds. */
  readonly inner: readonly DescribedSetting[]
}

/** Returns all settings in the order of the documentation. */
export function describeSettings(): readonly DescribedSetting[] {
  return describe(shape, '')
}

function describe(rows: Readonly<Record<string, Row | Group>>, path: string): readonly DescribedSetting[] {
  return Object.entries(rows).map(([name, row]) => {
    const option = `${path}${name}`
    if ('rows' in row)
      return { option, variable: '', defaultText: '', text: row.text, inner: describe(row.rows, `${option}.`) }
    const { variable = '', default: value, choices } = row
    const listed = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : ''
    return { option, variable, defaultText: row.defaultText ?? `\`${value}\``, text: row.text + listed, inner: [] }
  })
}
