import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const webGlobals = {
  AbortController,
  Headers,
  Response,
  TextDecoder,
  URL,
  URLSearchParams,
  btoa,
  clearTimeout,
  crypto,
  setTimeout,
}

/** Loads the package in a context that has only web-standard globals. */
function loadOnTheEdge(fetch: typeof globalThis.fetch): typeof import('../index.ts') {
  const context = createContext({ ...webGlobals, fetch })
  const loaded = new Map<string, { exports: object }>()
  const load = (file: string): object => {
    const cachedModule = loaded.get(file)
    if (cachedModule !== undefined) return cachedModule.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
    const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), { compilerOptions })
    const run = runInContext(`(function (exports, require, module) {${outputText}\n})`, context)
    run(module.exports, (path: string) => load(normalize(join(dirname(file), path))), module)
    return module.exports
  }
  return load('index.ts') as typeof import('../index.ts')
}

it('the package needs only web standards', async () => {
  const sent: RequestInit[] = []
  const { createApiClient, isApiError } = loadOnTheEdge(async (_url, init = {}) => {
    sent.push(init)
    return sent.length === 1
      ? new Response('wait', { status: 503, headers: { 'retry-after': '0' } })
      : Response.json({ data: true })
  })
  const api = createApiClient({ secretKey: 'k', apiUrl: 'https://api.test' })
  expect(await api.events.triggerBulk({ body: { events: [] } })).toMatchObject({ data: true, status: 200 })
  expect(sent).toHaveLength(2)
  // Edge runtimes reject unknown request fields.
  for (const init of sent) expect(Object.keys(init).sort()).toEqual(['body', 'headers', 'method', 'redirect', 'signal'])
  const failure = await api.topics.get({ topicKey: '..' }).catch((error: unknown) => error)
  expect(isApiError(failure, 'RequestInvalid')).toBe(true)
})
