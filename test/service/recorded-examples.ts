import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A call of an operation, as the API reference shows it. */
export interface RecordedExample {
  /** The JSON body of the request; absent if it had none. */
  readonly request?: unknown
  /** The JSON body of the response; absent if it had none. */
  readonly response?: unknown
}

/** The checked-in examples, by operation. `npm run generate` adds them to the service. */
const file = fileURLToPath(new URL('examples.json', import.meta.url))
const maxItems = 2

/** Returns the checked-in examples by operation. */
export function readExamples(): Readonly<Record<string, RecordedExample>> {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Writes examples without what differs between runs: ids, times, ports, tokens. */
export function writeExamples(recorded: ReadonlyMap<string, RecordedExample>): void {
  const simplify = createSimplifier()
  const examples = [...recorded].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const simple = examples.map(([operation, example]) => [operation, simplify(example)])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(simple), null, 2)}\n`)
}

/** Equal ids stay equal. */
function createSimplifier(): (value: unknown) => unknown {
  const ids = new Map<string, string>()
  const toId = (id: string): string => {
    const simpleId = ids.get(id) ?? `69576c00${(ids.size + 1).toString(16).padStart(16, '0')}`
    ids.set(id, simpleId)
    return simpleId
  }
  const simplifyText = (text: string): string =>
    text
      .replaceAll(/(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g, toId)
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '3f0f6c1e-7f0e-4d53-9a6e-2f6a1d1c9b10')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-01-02T09:00:00.000Z')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/api\/bridge/g, 'https://app.example.com/api/bridge')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://notifications.example.com')
      .replaceAll(/\b[0-9a-f]{32,64}\b/g, ({ length }) => '0123456789abcdef'.repeat(4).slice(0, length))
      .replaceAll(/\bsk_[0-9a-f]{20,}/g, 'sk_0123...')
      .replaceAll(/\bwhsec_[\w+/=]+/g, 'whsec_...')
      .replaceAll(/"duration":\d+(\.\d+)?/g, '"duration":12')
      // Generated identifiers.
      .replace(/^(?=.*[A-Z])(?=.*[a-z])[\w-]{12}$/, 'k3J9xQ2mV7aB')
      .replace(/^([a-z]+)-[0-9a-f]{8}$/, '$1-1a2b3c4d')
      .replaceAll(/[\w-]{40,}/g, '...')
  const simplify = (value: unknown): unknown => {
    if (typeof value === 'string') return simplifyText(value)
    // Milliseconds since 1970.
    if (typeof value === 'number') return value > 1e12 ? Date.UTC(2026, 0, 2, 9) : value
    if (Array.isArray(value)) return value.slice(0, maxItems).map(simplify)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, /^duration(Ms)?$/.test(name) ? 12 : simplify(one)]),
    )
  }
  return simplify
}
