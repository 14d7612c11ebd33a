import { admitHere } from '../access/admit.ts'
import { cookieName, findGrant, type Identification, readSessionCookies, sessionHeader } from '../access/identify.ts'
import type { Grant } from '../access/local-sessions.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { jsonHeaders } from '../http/error-reply.ts'
import { findByKeyHash, readSecret } from '../keys/authenticate.ts'
import { hashKey } from '../keys/hash-key.ts'
import { toJson } from './json-reply.ts'

const maxBodyBytes = 1024
const cookieRules = 'Path=/; HttpOnly; SameSite=Strict'

/** Dependencies for opening studio sessions. */
export interface SessionPorts extends Identification {
  /** The environments that links open, by id. */
  readonly environmentIds: readonly string[]
}

/** Handles session requests, by method. */
export const sessionMethods: Readonly<
  Record<'GET' | 'POST' | 'DELETE', (call: HttpCall, ports: SessionPorts) => Promise<HttpReply>>
> = {
  /** Returns the environments of the request's session. */
  GET: async (call, ports) => toJson(200, await describe(findGrant(call, ports), ports)),
  /** Opens a session with the token of a link, or with a secret key. */
  async POST(call, ports) {
    admitHere(call, ports.admission())
    const grant = await readGrant(call, ports)
    const body = await describe(grant, ports)
    const { cookie, header } = ports.sessions.open(grant)
    const setCookie = `${cookieName(ports.admission())}=${cookie}; ${cookieRules}`
    return toJson(201, { ...body, session: header }, { 'set-cookie': setCookie })
  },
  /** Ends the session of the request. */
  async DELETE(call, ports) {
    findGrant(call, ports)
    ports.sessions.close(readSessionCookies(call, ports.admission()), call.header(sessionHeader) ?? '')
    const cleared = `${cookieName(ports.admission())}=; Max-Age=0; ${cookieRules}`
    return { status: 204, headers: { ...jsonHeaders, 'set-cookie': cleared }, body: undefined }
  },
}

async function readGrant(call: HttpCall, { db, sessions, environmentIds }: SessionPorts): Promise<Grant> {
  const header = call.header('authorization')
  if (header !== undefined) {
    const keyHash = hashKey(readSecret(header))
    const { id } = await findByKeyHash(db, keyHash)
    return { environmentIds: [id], keyHash }
  }
  if (!/^application\/json\b/i.test(call.header('content-type') ?? ''))
    throw new ApiError(415, 'Send {"token": "…"} as application/json, or a secret key in the header Authorization.')
  const token = readToken(await call.readBody(maxBodyBytes))
  if (token !== undefined && sessions.redeem(token)) return { environmentIds }
  throw new ApiError(401, 'This link was already used, or was created before the service restarted.')
}

function readToken(body: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : undefined
    return typeof token === 'string' ? token : undefined
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
}

/** Contains no secret key. */
async function describe({ environmentIds, keyHash }: Grant, { db }: SessionPorts): Promise<object> {
  if (keyHash !== undefined) await findByKeyHash(db, keyHash)
  const environments = await db
    .selectFrom('environments')
    .select(['id', 'name', 'applicationIdentifier', 'bridgeUrl'])
    .where('id', 'in', environmentIds)
    .orderBy('id')
    .execute()
  const bridgeUrl = environments[0]?.bridgeUrl ?? null
  return { environments, bridgeUrl, openedBy: keyHash === undefined ? 'link' : 'key' }
}
