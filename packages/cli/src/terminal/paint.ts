/** Colours texts, where colours are wanted. */
export interface Paint {
  /** Returns the text in bold. */
  readonly bold: (text: string) => string
  /** Returns the text in a pale colour. */
  readonly dim: (text: string) => string
  /** Returns the text in red. */
  readonly red: (text: string) => string
  /** Returns the text in green. */
  readonly green: (text: string) => string
  /** Returns the text in yellow. */
  readonly yellow: (text: string) => string
  /** Returns the text in cyan. */
  readonly cyan: (text: string) => string
}

/** What is asked before colours are used. */
export interface PaintQuestion {
  /** Whether the stream is a terminal. */
  readonly isTerminal: boolean
  /** The environment: `NO_COLOR` and `FORCE_COLOR` count. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns whether colours are used: `NO_COLOR` turns them off, then `FORCE_COLOR` on (`0` and `false` off), then only a
 * terminal that is not `dumb` has them.
 */
export function hasColours({ isTerminal, env }: PaintQuestion): boolean {
  const forced = env['FORCE_COLOR']
  if (env['NO_COLOR']) return false
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Returns functions that colour texts, or leave them as they are. */
export function createPaint(isOn: boolean): Paint {
  const paint =
    (open: number, close: number) =>
    (text: string): string =>
      isOn ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return Object.freeze({
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  })
}
