/**
 * Works on several items at a time, and yields their results in the order of the items, so that the same items give the
 * same output. Reads an item only when there is room for it, so a list of any length takes little memory. The first
 * failure ends the work.
 *
 * @param concurrency - How many items are worked on at a time.
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  concurrency = 8,
): AsyncGenerator<R, void, undefined> {
  const pending: Promise<R>[] = []
  for await (const item of items) {
    const result = work(item)
    // A later item can fail while an earlier one is awaited. Its own turn throws the error.
    result.catch(() => {})
    pending.push(result)
    const [first] = pending
    if (!first || pending.length < concurrency) continue
    yield await first
    pending.shift()
  }
  for (const result of pending) yield await result
}
