/** Limits that all templates of a request share. */
export interface TemplateLimits {
  /** Characters of template text. @default 100 000 */
  readonly maxTemplateLength: number
  /** Time spent rendering, in milliseconds. @default 500 */
  readonly renderMs: number
  /** Units of memory as the engine counts them. @default 1 000 000 */
  readonly memoryUnits: number
  /** Characters of text one control may become. @default 1 MiB */
  readonly maxControlLength: number
  /** Characters of text all controls may become. @default 4 MiB */
  readonly maxOutputLength: number
}

/** The remaining limits of one request. */
export interface TemplateBudget {
  readonly limits: TemplateLimits
  /** Characters of template text that may still be read. */
  templateLength: number
  /** Characters of output that may still be made. */
  outputLength: number
  /** Parts of plain templates that may still be rendered before the engine, which counts time, takes over. */
  plainParts: number
  /** The engine's own counters, once it has made them. */
  counters?: unknown
}

const maxPlainParts = 200_000

const defaults: TemplateLimits = Object.freeze({
  maxTemplateLength: 100_000,
  renderMs: 500,
  memoryUnits: 1_000_000,
  maxControlLength: 2 ** 20,
  maxOutputLength: 2 ** 22,
})

/**
 * Creates the limits of one request.
 *
 * @param limits - Where they differ from the defaults.
 */
export function createTemplateBudget(limits?: Partial<TemplateLimits>): TemplateBudget {
  const all = limits ? { ...defaults, ...limits } : defaults
  return {
    limits: all,
    templateLength: all.maxTemplateLength,
    outputLength: all.maxOutputLength,
    plainParts: maxPlainParts,
  }
}
