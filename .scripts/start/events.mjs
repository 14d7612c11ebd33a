/**
 * Reads server-sent events in the background.
 *
 * @param {AsyncIterable<Uint8Array>} body - The body of the answer.
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
  // A connection that is lost shows as silence.
  read().catch(() => {})
  return {
    /**
     * Returns the next event, or undefined when none comes in time.
     *
     * @param {number} ms - How long to wait for it.
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
