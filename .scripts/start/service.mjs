import { readEvents } from './events.mjs'

/**
 * Creates a client for the local service.
 *
 * @param {{ url: string, key: string }} service - The service's URL, and the secret key of its Development environment.
 */
export function createService({ url, key }) {
  const headers = { authorization: `ApiKey ${key}` }
  return {
    /**
     * @param {string} path - The path, including the version.
     * @param {object} [body] - The body, sent as JSON.
     * @returns {Promise<any>} The unwrapped response body.
     * @throws {Error} The response status is not a success.
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
    /** Streams the events of all runs. */
    async follow(signal) {
      const response = await fetch(`${url}/v1/studio/events`, { headers, signal })
      return readEvents(response.body)
    },
  }
}
