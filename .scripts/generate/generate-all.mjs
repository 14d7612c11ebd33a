import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { generateClient } from './client.mjs'
import { generateExamples } from './examples.mjs'
import { generateProviderPages } from './providers.mjs'
import { generateOptions, generateSettingsPage } from './settings.mjs'
import { generateStudio } from './studio.mjs'

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const load = (path) => import(pathToFileURL(join(root, 'packages/service/dist', path)).href)

/** Returns the generated pages, as texts by path. The service must be built. */
export async function generatePages() {
  const { describeSettings } = await load('config/shape/describe-settings.js')
  const folder = 'packages/docs/integrations'
  const read = (path) => readFileSync(join(root, folder, path), 'utf8')
  const integrations = Object.entries(generateProviderPages(await loadProviders(), read))
  return {
    'packages/docs/settings.md': generateSettingsPage(describeSettings()),
    ...Object.fromEntries(integrations.map(([path, text]) => [`${folder}/${path}`, text])),
  }
}

/** Returns the providers of the service, each with its credentials, API and delivery reports. */
export async function loadProviders() {
  const [{ listProviders }, { senderOf }, { apiOf }, { reportReaders }] = await Promise.all(
    [
      'channels/provider/provider-catalogue',
      'channels/provider/providers',
      'channels/apis/api-request',
      'reports/report-readers',
    ].map((path) => load(`${path}.js`)),
  )
  return listProviders().map((provider) => ({
    ...provider,
    sender: senderOf(provider.providerId),
    api: apiOf(provider.providerId),
    reports: reportReaders.get(provider.providerId),
  }))
}

/** Returns the generated files, as texts by folder and name. The service must be built. */
export async function generateAll() {
  const { describeSettings } = await load('config/shape/describe-settings.js')
  const { operations } = await load('operations/operations.js')
  const { toOpenApi } = await load('openapi/openapi-document.js')
  const document = toOpenApi(operations, '')
  return {
    'packages/api-client/src/generated': format(generateClient(document)),
    'packages/service/src/config/generated': format({ 'service-options.ts': generateOptions(describeSettings()) }),
    'packages/service/src/openapi/generated': format({ 'examples.ts': generateExamples() }),
    'packages/studio/src/api/generated': format(generateStudio(document)),
  }
}

/** Formats files with the linter: one process for all of them, because each takes a second to start. */
function format(files) {
  const folder = mkdtempSync(join(root, '.generated-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', folder]
    const { status, stderr } = spawnSync(process.execPath, biome, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The generated files cannot be formatted: ${stderr.slice(0, 2000)}`)
    return Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
