import type { Group, Row } from './kinds.ts'
import { shape } from './shape.ts'

/** A setting, for the documentation. */
export interface DescribedSetting {
  /** The path of the option, such as `inboundMail.port`. */
  readonly option: string
  /** The environment variable; empty if it is set by code only. */
  readonly variable: string
  /** The default, in Markdown; empty for groups. */
  readonly defaultText: string
  /** What it does, in Markdown. */
  readonly text: string
  /** The settings of a group. */
  readonly inner: readonly DescribedSetting[]
  /** Whether code can set more than `inner`. */
  readonly hasOthers: boolean
}

/** Returns all settings in the order of the documentation. */
export function describeSettings(): readonly DescribedSetting[] {
  return describe(shape, '')
}

/** Returns all settings with a variable, including those of groups. */
export function listVariables(): readonly DescribedSetting[] {
  return describeSettings()
    .flatMap((setting) => [setting, ...setting.inner])
    .filter(({ variable }) => variable !== '')
}

function describe(rows: Readonly<Record<string, Row | Group>>, path: string): readonly DescribedSetting[] {
  return Object.entries(rows).map(([name, row]) => {
    const option = `${path}${name}`
    if ('rows' in row) {
      const inner = describe(row.rows, `${option}.`)
      return { option, variable: '', defaultText: '', text: row.text, inner, hasOthers: row.code !== undefined }
    }
    const { variable = '', default: value, choices } = row
    const listed = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : ''
    const defaultText = row.defaultText ?? `\`${value}\``
    return { option, variable, defaultText, text: row.text + listed, inner: [], hasOthers: false }
  })
}
