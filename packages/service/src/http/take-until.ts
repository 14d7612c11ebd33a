/**
 * Returns the pieces of a stream until an end that comes from elsewhere. Nothing is handed on after that.
 *
 * @param pieces - The stream.
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
  // One listener at the end, however many pieces come: a race for each of them would be kept until then.
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
    // It may wait for something that never comes; the end of the connection ends that.
    iterator.return?.()?.catch(() => undefined)
  }
}
