import { readEvents } from './events.mjs'

/**
 * Creates a caller of the local service.
 *
 * @param {{ url: string, key: string }} service - Where it is, and the secret key of its environment Development.
 */
export function createService({ url, key }) {
  const headers = { authorization: `ApiKey ${key}` }
  return {
    /**
     * @param {string} path - Path with its version.
     * @param {object} [body] - Sent as JSON.
     * @returns {Promise<any>} The body of the answer, unwrapped.
     * @throws {Error} The answer is not a success.
     */
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
      const answer = text === '' ? undefined : JSON.parse(text)
      return answer && Object.keys(answer).join() === 'data' ? answer.data : answer
    },
    /** Follows what happens in all runs. */
    async follow(signal) {
      const response = await fetch(`${url}/v1/studio/events`, { headers, signal })
      return readEvents(response.body)
    },
  }
}
