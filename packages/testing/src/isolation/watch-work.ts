import { createHook } from 'node:async_hooks'
import { noteInside, noteOutside, type RealWork } from '../context/real-work.ts'
import { contextStorage } from '../context/test-context.ts'
import type { Replacement } from './replace-property.ts'

// As Node names what it waits for. Promises, and what libraries name, end within the process.
const outside = /^(?!PROMISE$)[A-Z]+$|^Immediate$|^Timeout$/
// What ends with one callback. Of the rest, connections above all, only the silence between their callbacks is seen.
const ends = /^(Immediate|Timeout|PROCESSWRAP|FILEHANDLECLOSEREQ)$|REQ(UEST|WRAP|CALLBACK|PROMISE)$/
const connections = new Set(['HTTPCLIENTREQUEST', 'TCPCONNECTWRAP'])

/**
 * Watches what code in a test context with real work waits for.
 */
export function watchWork(): Replacement {
  const owners = new Map<number, RealWork>()
  const hook = createHook({
    init(id, type) {
      const { work, clock } = contextStorage.getStore() ?? {}
      // What answers the call is not part of the turn.
      if (!work || clock?.active === false) return
      noteInside(work)
      if (!outside.test(type)) return
      owners.set(id, work)
      // A turn of the event loop is over soon, and nobody outside has a part in it.
      if (type !== 'Immediate') noteOutside(work)
      if (ends.test(type) && !connections.has(type)) work.pending.add(id)
      else work.hasConnection = true
    },
    before(id) {
      const work = owners.get(id)
      if (!work) return
      noteInside(work)
      if (work.outsideMs !== undefined) noteOutside(work)
    },
    after(id) {
      owners.get(id)?.pending.delete(id)
    },
    destroy(id) {
      owners.get(id)?.pending.delete(id)
      owners.delete(id)
    },
  }).enable()
  return { isInPlace: true, restore: () => void hook.disable() }
}
