import fs from 'node:fs'

await import('/work/main/packages/core/dist/index.js')
const f = fs.readdirSync('/work/main/packages/core/dist/chunks')
const x = f.find((x) => /^discovery-.*js$/.test(x))
const m = async (n, p) => {
  const c = process.cpuUsage(),
    t = performance.now()
  await p()
  const d = process.cpuUsage(c)
  console.log(n, (performance.now() - t).toFixed(1), (d.user + d.system) / 1000)
}
await m('turn', async () => new Promise((r) => setTimeout(r, 1)))
await m('disc', () => import('/work/main/packages/core/dist/chunks/' + x))
fs.writeFileSync('/tmp/e.mjs', 'export const a=1')
await m('tiny', () => import('/tmp/e.mjs'))
