/** A place in the source: line and column. */
export type CallSite = readonly [line: number, column: number]

const maxFrames = 40
/** The frames on top of a captured stack that are ours: three record the call, two belong to the step object. */
export const ownFrames = 5

/** Captures where a step is called; the text is made only where it is asked for. */
export function captureCallSite(): Error {
  const { stackTraceLimit } = Error
  try {
    Error.stackTraceLimit = maxFrames
    return new Error('step call')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** `Promise.all (index 3)` tells which of several runs at once it was, and is none of the function. */
const noPlace = /\(?node:|\(index \d+\)$/

/**
 * Returns the lines of a stack, those of the runtime left out; none where the runtime has no stacks.
 *
 * @param place - A captured call site.
 */
export function toFrames({ stack }: Error): readonly string[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').filter((line) => /^\s+at /.test(line) && !noPlace.test(line))
}

/**
 * Returns the chain of call sites that leads to a step, from the workflow function inwards. Empty where the runtime has
 * no stacks.
 *
 * @param place - The captured call site of the step.
 * @param outside - Frames outside the workflow function.
 */
export function toCallSites(place: Error, outside: ReadonlySet<string>): readonly CallSite[] {
  const frames = toFrames(place).slice(ownFrames)
  const inside = frames.filter((line) => !outside.has(line))
  // Of the frames outside only the one that calls the function moves on its line.
  const isSynchronous = inside.length < frames.length
  const own = isSynchronous ? inside.slice(0, -1) : inside
  return own.flatMap((line) => toCallSite(line) ?? []).toReversed()
}

function toCallSite(line: string): [CallSite] | undefined {
  const found = line.match(/:(\d+):(\d+)\)?$/)
  return found ? [[Number(found[1]), Number(found[2])]] : undefined
}

/**
 * Compares two chains of call sites by their place in the source, outermost first; 0 where nothing is known.
 *
 * @param left - One chain.
 * @param right - The other.
 */
export function compareCallSites(left: readonly CallSite[], right: readonly CallSite[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [one, other] = [left[index] ?? [0, 0], right[index] ?? [0, 0]]
    const difference = one[0] - other[0] || one[1] - other[1]
    if (difference !== 0) return difference
  }
  return 0
}
