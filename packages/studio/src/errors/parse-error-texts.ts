import { ownEntry } from '../base/own-entry.ts'
/** Who reports an error code: the app's bridge, the service while it calls a bridge, a program that calls the service, or the doctor. */
export type ErrorSide = 'bridge' | 'bridge-client' | 'api-client' | 'doctor'

/** What is known of an error code. Texts hold `code` between backticks. */
export interface ErrorText {
  /** The code. */
  readonly code: string
  /** Who reports it. */
  readonly side: ErrorSide
  /** HTTP status of the answer, as text; absent where there is none. */
  readonly status?: string
  /** When it comes. */
  readonly when: string
  /** What is usually the cause. */
  readonly why: string
  /** What to do. */
  readonly fix: string
  /** What its message looks like. */
  readonly message: string
}

const sides: Readonly<Record<string, ErrorSide>> = {
  Bridge: 'bridge',
  'Bridge client': 'bridge-client',
  'API client': 'api-client',
  Doctor: 'doctor',
}

/**
 * Returns the error codes that the page of the documentation describes, in its order.
 *
 * @param page - The page, Markdown.
 * @throws {Error} A section is not of the form of the others.
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
