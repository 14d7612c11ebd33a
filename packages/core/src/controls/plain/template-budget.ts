/** Limits shared by all templates of a request. */
export interface TemplateLimits {
  /** Characters of template text. @default 100,000 */
  readonly maxTemplateLength: number
  /** Time spent rendering, in milliseconds. @default 500 */
  readonly renderMs: number
  /** Memory units, as counted by the engine. @default 1,000,000 */
  readonly memoryUnits: number
  /** Output characters of one control. @default 1 MiB */
  readonly maxControlLength: number
  /** Output characters of all controls. @default 4 MiB */
  readonly maxOutputLength: number
  /**
   * The size of all lists and objects that controls receive unchanged, in characters. @default 20 MiB: any single value
   * fits, because a call has at most 10 MiB
   */
  readonly maxValueLength: number
}

/** The remaining limits of one request. */
export interface TemplateBudget {
  readonly limits: TemplateLimits
  /** Remaining characters of template text. */
  templateLength: number
  /** Remaining characters of output. */
  outputLength: number
  /** Remaining size of lists and objects that controls receive unchanged. */
  valueLength: number
  /** Remaining parts of plain templates before the engine is used, which also limits time. */
  plainParts: number
  /** The engine's own counters; unset until the engine is first used. */
  counters?: unknown
}

const maxPlainParts = 200_000

const defaults: TemplateLimits = Object.freeze({
  maxTemplateLength: 100_000,
  renderMs: 500,
  memoryUnits: 1_000_000,
  maxControlLength: 2 ** 20,
  maxOutputLength: 2 ** 22,
  maxValueLength: 20 * 2 ** 20,
})

/**
 * Creates the limits of one request.
 *
 * @param limits - Overrides of the defaults.
 */
export function createTemplateBudget(limits?: Partial<TemplateLimits>): TemplateBudget {
  const all = limits ? { ...defaults, ...limits } : defaults
  return {
    limits: all,
    templateLength: all.maxTemplateLength,
    outputLength: all.maxOutputLength,
    valueLength: all.maxValueLength,
    plainParts: maxPlainParts,
  }
}
