import type { Context } from 'liquidjs'

/** The limits of rendering; they are counts, so that the same templates always reach them. */
export interface RenderLimits {
  /** The maximum memory, in the units of the engine: about one per character and list item. */
  readonly memory: number
  /** The maximum output, in characters. */
  readonly output: number
}

/** The remaining limits of templates. */
export interface RenderBudget extends Pick<Context, 'memoryLimit' | 'renderLimit'> {
  /** Counts output. */
  countOutput(characters: number): void
}

/** The maximum number of rendered parts: texts, outputs, tags, filters, and rounds of loops. */
const maxParts = 200_000

/**
 * Creates the counters of one or more templates. They throw if a limit is reached.
 *
 * @param limits - The limits of all templates together.
 */
export function createRenderBudget({ memory, output }: RenderLimits): RenderBudget {
  const parts = createCount(maxParts, 'parts')
  const units = createCount(memory, 'units of memory')
  return {
    // The engine checks the time before each part.
    renderLimit: toLimiter({ check: () => parts(1), use: parts }),
    memoryLimit: toLimiter({ check: units, use: units }),
    countOutput: createCount(output, 'characters of output'),
  }
}

type Limiter = Context['memoryLimit']

/** The engine uses nothing else of its limiters, and does not export their class. */
const toLimiter = (limiter: Pick<Limiter, 'check' | 'use'>): Limiter => limiter as Limiter

function createCount(max: number, unit: string): (count: number) => void {
  let used = 0
  return (count) => {
    // Some filters pass their arguments, which can be text.
    const added = Number(count)
    if (added > 0) used += added
    if (used > max) throw new Error(`the limit of ${max} ${unit} is exceeded`)
  }
}
