import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { chooseEncoding } from '../api/encodings.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'

/** A smaller body fits a network packet anyway. */
const leastBytes = 1024
/** The fastest level: a list of runs is a tenth of its size already. */
const level = 1

/**
 * Compresses the JSON of a read that is larger than 1 kB, if the caller accepts it. Responses to changes are not
 * compressed, because they can contain a new secret next to text of the request. The size of a read reveals nothing to
 * pages on other origins: they cannot send calls, which need a key, or a header of the studio.
 *
 * @param call - The call.
 * @param reply - Its response.
 */
export async function compressReply({ method, header }: HttpCall, reply: HttpReply): Promise<HttpReply> {
  const { body, headers } = reply
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  if (method !== 'GET' || !isJson || typeof body !== 'string' || body.length < leastBytes) return reply
  const varied = {
    ...headers,
    vary: headers['vary'] === undefined ? 'accept-encoding' : `${headers['vary']}, accept-encoding`,
  }
  if (chooseEncoding(header('accept-encoding'), ['gzip']) === undefined) return { ...reply, headers: varied }
  const packed = await promisify(gzip)(body, { level })
  return { ...reply, headers: { ...varied, 'content-encoding': 'gzip' }, body: packed }
}
