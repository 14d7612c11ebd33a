import { ApiError } from '../api/api-error.ts'
import { chooseEncoding, type Encoding } from '../api/encodings.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { Mount } from '../config/shape/kinds.ts'
import { accountLinkMethods } from './account-link.ts'
import { accountOidcPages, callbackPath, type OidcPagePorts } from './account-oidc.ts'
import { accountSessionMethods } from './account-session.ts'
import { type Asset, listAssets } from './assets.ts'
import { pageHeaders } from './page-headers.ts'
import { type SessionPorts, sessionMethods } from './session.ts'

/** The pages of the studio. */
export interface StudioPages {
  /** Returns the handler of a method and path; undefined if the studio has none. */
  find(method: string, path: string): Mount | undefined
  /** Returns whether a path shows the studio without data, so that any site may link to it. */
  isPage(path: string): boolean
}

const root = '/studio/'
const session = '/studio/session'
const link = '/studio/link'
const startPage = 'index.html'
const yearSeconds = 365 * 24 * 60 * 60

/** Dependencies of the studio, including its sessions: account sessions if accounts are enabled. */
export interface StudioPorts extends SessionPorts {
  readonly accountPages: OidcPagePorts | undefined
}

type Answers = Readonly<Record<string, (call: HttpCall) => Promise<HttpReply>>>

/** Returns the studio's handlers other than those for files, by method and path. */
function listAnswers({ accountPages, ...ports }: StudioPorts): Answers {
  const bind = <P>(
    path: string,
    methods: Readonly<Record<string, (call: HttpCall, ports: P) => Promise<HttpReply>>>,
    given: P,
  ): Answers =>
    Object.fromEntries(
      Object.entries(methods).map(([method, answer]) => [`${method} ${path}`, (call: HttpCall) => answer(call, given)]),
    )
  if (!accountPages) return bind(session, sessionMethods, ports)
  return {
    ...bind(session, accountSessionMethods, accountPages),
    ...bind(link, accountLinkMethods, accountPages),
    ...bind('/studio/oidc/start', { GET: accountOidcPages.start }, accountPages),
    ...bind(callbackPath, { GET: accountOidcPages.callback }, accountPages),
  }
}

/**
 * Creates the pages of the studio: its files, its start page for every path below `/studio/`, and its session. The
 * files contain no data, so they require no proof. Without files, every page explains how to build them.
 *
 * @param ports - Dependencies for opening sessions.
 * @param folder - The folder of the built studio; undefined if there is none.
 */
export async function createStudioPages(ports: StudioPorts, folder: URL | undefined): Promise<StudioPages> {
  const assets: ReadonlyMap<string, Asset> = folder ? await listAssets(folder) : new Map()
  const answers = listAnswers(ports)
  const isOwn = (path: string): boolean => path === session || path === link
  return {
    find(method, path) {
      const line = `${method} ${path}`
      if (Object.hasOwn(answers, line)) return answers[line]
      if (method !== 'GET' || isOwn(path)) return undefined
      if (path === '/' || path === '/studio') return async () => redirect
      return path.startsWith(root)
        ? (call) => show(assets, path.slice(root.length), chooseEncoding(call.header('accept-encoding')))
        : undefined
    },
    isPage: (path) => path === '/' || path === '/studio' || (path.startsWith(root) && !isOwn(path)),
  }
}

const redirect: HttpReply = { status: 302, headers: { ...pageHeaders, location: root }, body: undefined }

async function show(
  assets: ReadonlyMap<string, Asset>,
  name: string,
  encoding: Encoding | undefined,
): Promise<HttpReply> {
  const asset = assets.get(name)
  if (asset) return toReply(asset, encoding)
  // A request for a missing file of a different build must not return a page.
  if (name.startsWith('assets/')) throw new ApiError(404, `Cannot GET ${root}${name}`)
  const page = assets.get(startPage)
  return page ? toReply(page) : notBuilt
}

async function toReply(asset: Asset, encoding?: Encoding): Promise<HttpReply> {
  const cache = asset.isImmutable ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'
  const headers = { ...pageHeaders, 'content-type': asset.contentType, 'cache-control': cache }
  if (!asset.pack) return { status: 200, headers, body: await asset.read() }
  const varied = { ...headers, vary: 'accept-encoding' }
  if (encoding === undefined) return { status: 200, headers: varied, body: await asset.read() }
  return { status: 200, headers: { ...varied, 'content-encoding': encoding }, body: await asset.pack(encoding) }
}

const notBuilt: HttpReply = {
  status: 503,
  headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The studio is not built</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>The studio is not built</h1>
<p>The service runs; only the files of its studio are missing. Build them, then start the service again:</p>
<pre>npx turbo run build --filter=@trestle/studio</pre>
</html>
`,
}

/** Returns the URL that opens the studio with a token. Browsers do not send the part after `#`. */
export const toStudioLink = (url: string, token: string): string => `${url}${root}#token=${token}`
