import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

// npm run docs: builds the documentation site into packages/docs/.vitepress/dist. `-- --serve` shows it at a local address,
// `-- --watch` shows the pages while you edit them.

const site = join(root, 'packages/docs')
const vitepress = join(root, 'node_modules/vitepress/bin/vitepress.js')

async function main() {
  if (!prepare(['@trestle/service', '@trestle/core'])) return 1
  const { writeApiPages } = await import('./docs/api-pages.mjs')
  await writeApiPages()
  const archive = join(site, 'public/deploy-files.tar.gz')
  execFileSync('tar', ['-czf', archive, 'compose.yaml', 'deploy'], { cwd: root })
  if (process.argv.includes('--watch')) return run(process.execPath, [vitepress, 'dev', site]) ? 0 : 1
  if (!run(process.execPath, [vitepress, 'build', site])) return 1
  if (!existsSync(join(site, '.vitepress/dist/index.html'))) throw new Error('The build wrote no pages.')
  if (process.argv.includes('--serve')) return run(process.execPath, [vitepress, 'preview', site]) ? 0 : 1
  return 0
}

process.exitCode = await main()
