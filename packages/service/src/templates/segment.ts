import { type Expression, parseExpression } from './expression.ts'

/** A part of a template: plain text, or an output such as `{{ payload.id }}`. */
export type Segment = TextSegment | OutputSegment

/** Literal text. */
export interface TextSegment {
  /** Discriminates the segments. */
  readonly kind: 'text'
  readonly text: string
}

/** An output between braces. */
export interface OutputSegment {
  /** Discriminates the segments. */
  readonly kind: 'output'
  /** The output as written, including braces. */
  readonly source: string
  /** Its expression; `undefined` if it cannot be rendered. */
  readonly expression: Expression | undefined
  /** Whether it was written with three braces, so that its value is never escaped. */
  readonly isRaw: boolean
}

/** Splits a template into text and outputs in one pass. Unclosed braces are text. */
export function splitTemplate(template: string): readonly Segment[] {
  const segments: Segment[] = []
  let textStart = 0
  for (let open = template.indexOf('{{'); open !== -1; ) {
    const isRaw = template[open + 2] === '{'
    const close = isRaw ? '}}}' : '}}'
    const bodyStart = open + close.length
    const bodyEnd = template.indexOf(close, bodyStart)
    if (bodyEnd === -1) break
    const end = bodyEnd + close.length
    if (open > textStart) segments.push({ kind: 'text', text: template.slice(textStart, open) })
    const expression = parseExpression(template.slice(bodyStart, bodyEnd))
    segments.push({ kind: 'output', source: template.slice(open, end), expression, isRaw })
    textStart = end
    open = template.indexOf('{{', end)
  }
  if (textStart < template.length) segments.push({ kind: 'text', text: template.slice(textStart) })
  return segments
}
