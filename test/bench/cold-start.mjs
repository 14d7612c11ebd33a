import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { median, medianQuotient } from './median.mjs'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Measures whole processes, from startup to the first response to a signed discover call with ten workflows.
 *
 * @param {{ bundled?: 'file' | 'chunks', which?: 'ten' | 'asking', rounds: number, peerFolder: string }} options -
 * Whether esbuild bundled everything, into one file or into chunks, or code is read from node_modules; only the latter
 * supports workflows that read their data.
 * @returns {Promise<object>} Milliseconds by subject, and Trestle's time relative to the floor and the peer.
 */
export async function measureColdStart({ bundled, which = 'ten', rounds, peerFolder }) {
  const subjects = ['floor', 'trestle', 'peer']
  const files = {}
  for (const subject of subjects)
    files[subject] = bundled ? await bundle(subject, { bundled, peerFolder }) : here('subjects/start.mjs')
  const times = { floor: [], trestle: [], peer: [] }
  for (let round = 0; round <= rounds; round++)
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const ms = startOnce(files[subject], [subject, peerFolder, which])
      // The first round warms up the disk cache.
      if (round > 0) times[subject].push(ms)
    }
  return {
    ms: Object.fromEntries(subjects.map((subject) => [subject, median(times[subject])])),
    ofFloor: medianQuotient(times.trestle, times.floor),
    ofPeer: medianQuotient(times.trestle, times.peer),
  }
}

function startOnce(file, args) {
  const startMs = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args[0]} did not start: ${stderr}`)
  return performance.now() - startMs
}

/** All code of a subject, deployed as a cloud function. With chunks, code that is imported later is not loaded. */
async function bundle(subject, { bundled, peerFolder }) {
  const folder = join(tmpdir(), 'bench-bundles', bundled, subject)
  rmSync(folder, { recursive: true, force: true })
  const entry = join(subject === 'peer' ? peerFolder : here('subjects'), `entry-${subject}.tmp.mjs`)
  writeFileSync(entry, entryOf(subject))
  await build({
    entryPoints: { [subject]: entry },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: bundled === 'chunks',
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // Optional packages, not bundled. The peer always needs the first one.
    external: subject === 'peer' ? [] : ['zod-to-json-schema', '@valibot/to-json-schema'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  })
  return join(folder, `${subject}.mjs`)
}

function entryOf(subject) {
  const own = (file) => JSON.stringify(here(`subjects/${file}`))
  const start = `import { answerFirst } from ${own('first-answer.mjs')}\nimport { Hono } from 'hono'\nconst app = new Hono()\n`
  if (subject === 'floor')
    return `${start}import { honoFloor } from ${own('floor.mjs')}\napp.all('/api', honoFloor('benchmark-secret-key'))\nawait answerFirst(app, 'floor')\n`
  const workflows = `import { toWorkflows } from ${own('workflows.mjs')}\n`
  if (subject === 'peer')
    return `${start}${workflows}import { Client, serve, workflow } from '@novu/framework/hono'\nconst client = new Client({ secretKey: 'benchmark-secret-key', strictAuthentication: true, verbose: false })\napp.all('/api', serve({ workflows: toWorkflows(workflow, 'ten'), client }))\nawait answerFirst(app, 'peer')\n`
  return `${start}${workflows}import { workflow } from '@trestle/core'\nimport { serve } from '@trestle/hono'\napp.all('/api', serve({ workflows: toWorkflows(workflow, 'ten'), secretKey: 'benchmark-secret-key', strictAuthentication: true }))\nawait answerFirst(app, 'trestle')\n`
}
