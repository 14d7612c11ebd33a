import { randomBytes } from 'node:crypto'
import { startService } from '@trestle/service'
import { readEvents } from './events.mjs'

const usualPort = 3737

/**
 * Starts the notification service in this process, on a database that is never stored.
 *
 * @param {string} secret - The secret key of its environment Development.
 * @param {{ once: boolean }} options - With `once` on any free port; else on the usual one, where that is free.
 */
export async function startNotificationService(secret, { once }) {
  const options = {
    databaseFile: ':memory:',
    encryptionKey: randomBytes(32).toString('base64'),
    secretKeys: { Development: secret },
    logLevel: 'warn',
  }
  const service = once
    ? await startService({ ...options, port: 0 })
    : await startService({ ...options, port: usualPort }).catch((error) => {
        if (error?.code !== 'EADDRINUSE') throw error
        return startService({ ...options, port: 0 })
      })
  const headers = { authorization: `ApiKey ${secret}` }
  return {
    /** Where the API is. */
    url: service.url,
    /**
     * Calls the API.
     *
     * @param {string} method - HTTP method.
     * @param {string} path - Path with its version.
     * @param {object} [body] - Sent as JSON.
     * @returns {Promise<any>} The body of the answer, unwrapped.
     * @throws {Error} The answer is not a success.
     */
    async call(method, path, body) {
      const response = await fetch(service.url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
      const answer = text === '' ? undefined : JSON.parse(text)
      return answer && Object.keys(answer).join() === 'data' ? answer.data : answer
    },
    /**
     * Follows what happens in all runs.
     *
     * @param {AbortSignal} signal - Ends it.
     */
    async follow(signal) {
      const response = await fetch(`${service.url}/v1/studio/events`, { headers, signal })
      return readEvents(response.body)
    },
    stop: () => service.stop(),
  }
}
