const maxFrames = 12
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
