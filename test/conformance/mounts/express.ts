import { bodyErrorHandler, serve } from '@trestle/express'
import express5 from 'express'
// @ts-expect-error The second copy of Express has no types of its own; those of 5 fit what is used of it.
import express4 from 'express4'
import type { Mount } from './mount.ts'
import { mountListener, nodeInFront, waitsForBody } from './node.ts'

type Express = typeof express5
type Variant = 'bare' | 'json' | 'json with rawBody' | 'raw' | 'text' | 'mounted with use'

// The parsers' limit is above that of the bridge, so that the bridge's limit is tested.
const limit = '20mb'
const parserInFront = {
  ...nodeInFront,
  ...waitsForBody('the body parser in front'),
}

function mountExpress(express: Express, variant: Variant): Mount['mount'] {
  return (options) => {
    const app = express()
    if (variant === 'json') app.use(express.json({ limit }))
    if (variant === 'json with rawBody')
      app.use(
        express.json({ limit, verify: (request, _response, buffer) => Object.assign(request, { rawBody: buffer }) }),
      )
    if (variant === 'raw') app.use(express.raw({ limit, type: () => true }))
    if (variant === 'text') app.use(express.text({ limit, type: () => true }))
    if (variant === 'mounted with use') app.use('/api/bridge', serve(options))
    else app.all('/api/bridge', serve(options))
    app.use(bodyErrorHandler)
    return mountListener(app)
  }
}

function toMounts(version: 4 | 5, express: Express): readonly Mount[] {
  const variants: readonly Variant[] = ['bare', 'mounted with use', 'json', 'json with rawBody', 'raw', 'text']
  return variants.map((variant) => {
    const bare = variant === 'bare' || variant === 'mounted with use'
    return {
      name: `Express ${version}, ${variant}`,
      body: bare ? 'stream' : variant === 'json' ? 'parsed' : variant === 'text' ? 'text' : 'kept',
      parsesJson: variant.startsWith('json'),
      inFront: bare ? nodeInFront : parserInFront,
      mount: mountExpress(express, variant),
    }
  })
}

/** Express 4 and 5: before, after and without a body parser. */
export const expressMounts: readonly Mount[] = [...toMounts(5, express5), ...toMounts(4, express4 as Express)]
