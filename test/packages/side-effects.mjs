import { writeSync } from 'node:fs'

// Imports entries one by one and prints which of them have visible effects: node side-effects.mjs OTHER,OTHER
// ENTRY,ENTRY. Other packages are loaded first, because their effects do not count.

const [, , others = '', entries = ''] = process.argv
for (const other of others.split(',').filter(Boolean)) await import(other).catch(() => undefined)
// Node sets some of its own globals when they are first read.
for (const key of Reflect.ownKeys(globalThis)) void globalThis[key]
await new Promise((resolve) => setTimeout(resolve, 20))

const builtins = ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'Date', 'Promise', 'RegExp']
builtins.push('Error', 'TypeError', 'Map', 'Set', 'WeakMap', 'WeakSet', 'JSON', 'Math', 'Reflect', 'Proxy', 'Intl')
builtins.push('Uint8Array', 'ArrayBuffer', 'URL', 'URLSearchParams', 'Request', 'Response', 'Headers', 'console')

/** Everything in a process that an import could change: values as text by name, functions by identity. */
const ids = new WeakMap()
let lastId = 0
function name(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value)
  if (!ids.has(value)) ids.set(value, ++lastId)
  return `#${ids.get(value)}`
}

function look() {
  const snapshot = new Map()
  const note = (label, object) => {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key)
      snapshot.set(`${label}.${String(key)}`, get || set ? `${name(get)} ${name(set)}` : name(value))
    }
  }
  note('globalThis', globalThis)
  for (const builtin of builtins) {
    note(builtin, globalThis[builtin])
    if (globalThis[builtin].prototype) note(`${builtin}.prototype`, globalThis[builtin].prototype)
  }
  note('process.env', process.env)
  for (const event of process.eventNames())
    snapshot.set(`process.on ${String(event)}`, `${process.listenerCount(event)}`)
  snapshot.set('what keeps the process awake', process.getActiveResourcesInfo().sort().join())
  return snapshot
}

let before = look()
for (const entry of entries.split(',')) {
  await import(entry)
  await new Promise((resolve) => setImmediate(resolve))
  const after = look()
  for (const key of new Set([...before.keys(), ...after.keys()]))
    if (before.get(key) !== after.get(key)) writeSync(1, `${entry}: ${key}\n`)
  before = after
}
