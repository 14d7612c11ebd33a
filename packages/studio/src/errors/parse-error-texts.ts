import { ownEntry } from '../base/own-entry.ts'
/**
 * The component that reports an error code: the app's bridge, the service during a bridge call, an API client, or the
 * doctor.
 */
export type ErrorSide = 'bridge' | 'bridge-client' | 'api-client' | 'doctor'

/** The documentation of an error code. Texts may contain `code` in backticks. */
export interface ErrorText {
  readonly code: string
  /** The component that reports it. */
  readonly side: ErrorSide
  /** HTTP status of the response, as text; absent if there is none. */
  readonly status?: string
  /** When it happens. */
  readonly when: string
  /** The usual cause. */
  readonly why: string
  /** How to fix it. */
  readonly fix: string
  /** An example of its message. */
  readonly message: string
}

const sides: Readonly<Record<string, ErrorSide>> = {
  Bridge: 'bridge',
  'Bridge client': 'bridge-client',
  'API client': 'api-client',
  Doctor: 'doctor',
}

/**
 * Parses the error codes of the documentation page, in order.
 *
 * @param page - The page as Markdown.
 * @throws {Error} A section does not have the expected format.
 */
export function parseErrorTexts(page: string): readonly ErrorText[] {
  const parts = page.split(/^## /m).slice(1)
  return parts.flatMap((part) => {
    const [title = '', ...sections] = part.split(/^### /m)
    const side = ownEntry(sides, title.split('\n', 1)[0]?.trim() ?? '')
    if (side === undefined) throw new Error(`The error page has a part with an unknown side: ${title.slice(0, 80)}`)
    return sections.map((section) => parseSection(section, side))
  })
}

function parseSection(section: string, side: ErrorSide): ErrorText {
  const code = /^`(\w+)`/.exec(section)?.[1] ?? ''
  const [when, why, fix, message] = ['When', 'Why', 'What to do', 'Message'].map(
    (name) => new RegExp(`^- \\*\\*${name}:\\*\\* (.+)$`, 'm').exec(section)?.[1],
  )
  if (code === '' || !when || !why || !fix || !message)
    throw new Error(`The error page has an incomplete section: ${section.slice(0, 80)}`)
  const status = /^Status (.+)\.$/m.exec(section)?.[1]
  return { code, side, ...(status !== undefined && { status }), when, why, fix, message: message.replaceAll('`', '') }
}
