/** Colors text, if colors are on. */
export interface Paint {
  /** Returns the text in bold. */
  readonly bold: (text: string) => string
  /** Returns the text dimmed. */
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

/** The facts that determine whether to use colors. */
export interface PaintQuestion {
  /** Whether the stream is a terminal. */
  readonly isTerminal: boolean
  /** The environment, with `NO_COLOR` and `FORCE_COLOR`. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns whether to use colors: `NO_COLOR` turns them off, then `FORCE_COLOR` turns them on (off for `0` and `false`);
 * otherwise they need a terminal other than `dumb`.
 */
export function hasColours({ isTerminal, env }: PaintQuestion): boolean {
  const forced = env['FORCE_COLOR']
  if (env['NO_COLOR']) return false
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Returns functions that color text, or return it unchanged. */
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
