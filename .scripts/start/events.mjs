/**
 * Reads server-sent events in the background.
 *
 * @param {AsyncIterable<Uint8Array>} body - The response body.
 */
export function readEvents(body) {
  const events = []
  let wake = () => {}
  const read = async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = block.split('\n').find((line) => line.startsWith('data: '))
        if (data) events.push(JSON.parse(data.slice('data: '.length)))
      }
      wake()
    }
  }
  // A lost connection only shows up as inactivity.
  read().catch(() => {})
  return {
    /**
     * Returns the next event, or undefined if none arrives in time.
     *
     * @param {number} ms - The maximum time to wait, in milliseconds.
     */
    async next(ms) {
      if (events.length === 0) {
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, ms))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return events.shift()
    },
  }
}
