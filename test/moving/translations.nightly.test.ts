import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApiClient } from '@trestle/api-client'
import { type Service, startService } from '@trestle/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPeer, peerProgram } from './install-peer.ts'

const secretKey = 'sk_development_0123456789'
const folder = mkdtempSync(join(tmpdir(), 'trestle-texts-'))
let service: Service

/** Runs the legacy command, which handles one file for each language; returns its output. */
async function translations(action: 'pull' | 'push', directory: string): Promise<string> {
  const { PATH } = process.env
  const options = ['-s', secretKey, '-a', service.url, '-d', directory]
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [peerProgram, 'translations', action, ...options],
    { env: { PATH, NODE_ENV: 'test', HOME: folder, ANALYTICS_ENABLED: 'false' }, cwd: folder },
  )
  return stdout + stderr
}

beforeAll(async () => {
  await installPeer()
  service = await startService({
    ...{ port: 0, logLevel: 'silent', dataFolder: join(folder, 'data'), stopGraceMs: 100 },
    secretKeys: { Development: secretKey },
  })
}, 300_000)

afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the translations command of the legacy CLI', () => {
  const api = () => createApiClient({ apiUrl: service.url, secretKey })
  const save = (locale: string, content: object) =>
    api().translations.create({ body: { resourceType: 'layout', resourceId: 'shop', locale, content } })

  test('pulls the texts of all languages, and pushes changed ones', async () => {
    await api().layouts.create({ body: { layoutId: 'shop', name: 'Shop' } })
    await save('de_DE', { hello: 'Hallo' })
    await save('fr', { hello: 'Salut' })
    const pulled = join(folder, 'texts')
    expect(await translations('pull', pulled)).toContain('Successfully pulled: 3 locales')
    expect(readdirSync(pulled).sort()).toEqual(['de_DE.json', 'en_US.json', 'fr.json'])
    const german = JSON.parse(readFileSync(join(pulled, 'de_DE.json'), 'utf8'))
    expect(german).toEqual({ workflows: {}, layouts: { shop: { hello: 'Hallo' } } })
    german.layouts.shop.hello = 'Servus'
    writeFileSync(join(pulled, 'de_DE.json'), JSON.stringify(german))
    expect(await translations('push', pulled)).toContain('Successfully pushed: 3 files')
    expect(await api().translations.getMaster({ query: { locale: 'de_DE' } })).toMatchObject({ data: german })
  })

  test('reports a file with texts of an unknown layout', async () => {
    const unknown = join(folder, 'unknown')
    mkdirSync(unknown)
    writeFileSync(join(unknown, 'en_US.json'), '{"layouts":{"nothing":{"hello":"Hello"}}}')
    expect(await translations('push', unknown)).toContain('en_US: 0 stored, 1 unknown')
  })
})
