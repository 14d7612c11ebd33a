/**
 * Returns the chunks of a stream until an external end, and none after it.
 *
 * @param end - Resolves at the end; does not reject.
 */
export async function* takeUntil<TPiece>(
  pieces: AsyncIterable<TPiece>,
  end: Promise<void>,
): AsyncGenerator<TPiece, void, undefined> {
  const iterator = pieces[Symbol.asyncIterator]()
  let isOver = false
  let stop = (): void => undefined
  end.then(() => {
    isOver = true
    stop()
  })
  // One listener for the end, regardless of the number of chunks: `Promise.race` per chunk would retain all of them
  // until then.
  const next = (): Promise<IteratorResult<TPiece, unknown>> =>
    new Promise((resolve, reject) => {
      stop = () => resolve({ done: true, value: undefined })
      iterator.next().then(resolve, reject)
    })
  try {
    while (!isOver) {
      const result = await next()
      if (result.done || isOver) return
      yield result.value
    }
  } finally {
    // The source may wait forever; closing the connection stops it.
    iterator.return?.()?.catch(() => undefined)
  }
}
