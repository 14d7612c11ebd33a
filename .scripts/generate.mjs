import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateAll, generatePages, root } from './generate/generate-all.mjs'

// Writes files derived from the service: the operations and types of the API client, the types of the studio, and the
// options and their page from the settings.

const build = ['node_modules/typescript-7/bin/tsc', '-p', 'packages/service']
const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
for (const [path, text] of Object.entries(await generatePages())) writeFileSync(join(root, path), text)
const folders = await generateAll()
for (const [folder, files] of Object.entries(folders)) {
  rmSync(join(root, folder), { recursive: true, force: true })
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, folder, name)), { recursive: true })
    writeFileSync(join(root, folder, name), text)
  }
}
