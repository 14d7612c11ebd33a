import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { actions, type Bridge, button, type Card, card, divider, fields, linkButton, select, text } from '@trestle/core'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repository.ts'

interface Built {
  readonly bridge: Bridge
  orderCard(items: readonly object[], url?: string): Card
}

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'trestle-cards-'))
const source = join(root, 'test/cards/order-card.tsx')
const jsxImportSource = '@trestle/core/cards'

/** Compiles the card as an app's own build does, and loads it. */
const compilers: Readonly<Record<string, () => Promise<string>>> = {
  async tsc() {
    const outDir = join(folder, 'tsc')
    writeFileSync(join(folder, 'order-card.tsx'), readFileSync(source))
    const compilerOptions = {
      ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, types: [], outDir },
      ...{ lib: ['es2023', 'dom'], jsx: 'react-jsx', jsxImportSource, skipLibCheck: true, rootDir: '.' },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['order-card.tsx'] }))
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout)
    })
    return join(outDir, 'order-card.js')
  },
  esbuild: () => bundle('esbuild', {}),
  'esbuild for development': () => bundle('development', { jsxDev: true }),
}

async function bundle(name: string, more: object): Promise<string> {
  const outfile = join(folder, name, 'order-card.js')
  const jsx = { jsx: 'automatic', jsxImportSource, ...more } as const
  await build({
    entryPoints: [source],
    outfile,
    format: 'esm',
    platform: 'node',
    bundle: true,
    packages: 'external',
    ...jsx,
  })
  return outfile
}

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'node_modules/@trestle'), join(folder, 'node_modules/@trestle'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(Object.entries(compilers))('a card in JSX, compiled by %s', (name, compile) => {
  test('equals what the builders create and what a chat step sends', async () => {
    const path = await compile()
    const code = readFileSync(path, 'utf8')
    const runtime = name.includes('development') ? 'jsx-dev-runtime' : 'jsx-runtime'
    expect(code).toContain(`"@trestle/core/cards/${runtime}"`)
    const { orderCard, bridge } = (await import(pathToFileURL(path).href)) as Built
    const items = [
      { id: 1, name: 'Tea', count: 2 },
      { id: 2, name: 'Cups', count: 6 },
    ]
    const choices = [
      button('call', 'Call me', { style: 'primary' }),
      select('when', 'When?', { options: [{ label: 'In the morning', value: 'am' }] }),
    ] as const
    const listed = card(
      { title: 'Order shipped', subtitle: 'https://t.test' },
      text('2 items, on its way:', { style: 'bold' }),
      fields({ Tea: '2', Cups: '6' }),
      divider(),
      actions(linkButton('Track it', 'https://t.test'), ...choices),
    )
    expect(orderCard(items, 'https://t.test')).toEqual(listed)
    const empty = card(
      { title: 'Order shipped' },
      text('Nothing was ordered.', { style: 'muted' }),
      actions(...choices),
    )
    expect(orderCard([])).toEqual(empty)
    const response = await bridge.fetch(
      new Request('http://a/?action=execute&workflowId=shipped&stepId=tell', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payload: { items: [] } }),
      }),
    )
    expect([response.status, ((await response.json()) as { outputs: unknown }).outputs]).toEqual([200, { card: empty }])
  }, 120_000)
})
