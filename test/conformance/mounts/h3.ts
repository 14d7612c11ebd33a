import { serve } from '@trestle/h3'
import { H3, toNodeHandler } from 'h3'
import * as h3of1 from 'h3-1'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront } from './node.ts'

const noRoute = { answers: [404], reason: 'h3 knows routes by path only' } as const
const badPort = { 'absolute-form URL with a bad port': noRoute }

/** h3 2, as Nitro 3 uses it, and h3 1, as Nitro 2 and Nuxt do. */
export const h3Mounts: readonly Mount[] = [
  {
    name: 'h3 2',
    body: 'stream',
    inFront: { ...nodeInFront, ...badPort },
    mount: (options) => mountListener(toNodeHandler(new H3().all('/api/bridge', serve(options)))),
  },
  {
    name: 'h3 1',
    body: 'stream',
    inFront: { ...nodeInFront, ...badPort, 'absolute-form URL': noRoute },
    mount(options) {
      const app = h3of1.createApp()
      app.use(h3of1.createRouter().use('/api/bridge', serve(options) as unknown as h3of1.EventHandler))
      return mountListener(h3of1.toNodeListener(app))
    },
  },
]
