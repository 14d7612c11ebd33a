import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findDefaultUrls } from './default-urls.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-places-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (file: object): void => writeFileSync(join(folder, 'package.json'), JSON.stringify(file))

describe('the default URLs of an app', () => {
  it.each([
    [{ dev: 'next dev -p 3456' }, 3456],
    [{ dev: 'vite --port 4567' }, 4567],
    [{ start: 'PORT=5678 node server.js' }, 5678],
    [{ dev: 'node server.js', start: 'node server.js --port=6789' }, 6789],
  ])('start with the port from the scripts %j', (scripts, port) => {
    write({ scripts })
    expect(findDefaultUrls(folder, {}).ports[0]).toBe(port)
  })

  it.each([
    ['next', 3000],
    ['@sveltejs/kit', 5173],
    ['astro', 4321],
    ['wrangler', 8787],
  ])('continue with the default port of the framework: %s', (dependency, port) => {
    write({ devDependencies: { [dependency]: '1' } })
    expect(findDefaultUrls(folder, {})).toMatchObject({ framework: dependency, ports: expect.arrayContaining([port]) })
    expect(findDefaultUrls(folder, {}).ports[0]).toBe(port)
  })

  it('use the variable PORT from the environment and from the app’s files', () => {
    write({})
    writeFileSync(join(folder, '.env'), 'PORT=7001\n')
    expect(findDefaultUrls(folder, { PORT: '7002' }).ports.slice(0, 2)).toEqual([7002, 7001])
    writeFileSync(join(folder, '.env'), 'PORT=none\n')
    expect(findDefaultUrls(folder, { PORT: '99999' }).ports[0]).toBe(3000)
  })

  it('are the common ones, each once, for an unknown framework', () => {
    const { ports, paths, framework } = findDefaultUrls(join(folder, 'nowhere'), {})
    expect(new Set(ports).size).toBe(ports.length)
    expect([paths, framework]).toEqual([['/api/bridge', '/bridge', '/api/novu'], undefined])
  })
})
