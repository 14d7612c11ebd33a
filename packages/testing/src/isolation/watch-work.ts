import { createHook } from 'node:async_hooks'
import { noteInside, noteOutside, type RealWork } from '../context/real-work.ts'
import { contextStorage } from '../context/test-context.ts'
import type { Replacement } from './replace-property.ts'

// Node's names for external resources. Promises, and resources named by libraries, end within the process.
const outside = /^(?!PROMISE$)[A-Z]+$|^Immediate$|^Timeout$/
// Resources that end with one callback. For others, such as connections, only the inactivity between callbacks can be
// observed.
const ends = /^(Immediate|Timeout|PROCESSWRAP|FILEHANDLECLOSEREQ)$|REQ(UEST|WRAP|CALLBACK|PROMISE)$/
const connections = new Set(['HTTPCLIENTREQUEST', 'TCPCONNECTWRAP'])

/** Tracks the external work of code in a test context. */
export function watchWork(): Replacement {
  const owners = new Map<number, RealWork>()
  const hook = createHook({
    init(id, type) {
      const { work, clock } = contextStorage.getStore() ?? {}
      // Code that handles the call does not belong to the turn.
      if (!work || clock?.active === false) return
      noteInside(work)
      if (!outside.test(type)) return
      owners.set(id, work)
      // A turn of the event loop ends soon and involves nothing external.
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
