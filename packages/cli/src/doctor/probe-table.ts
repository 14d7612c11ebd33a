import type { Probe } from './base/probe.ts'
import { actions } from './probes/actions.ts'
import { brokenBody, contentType, largeBody, oversizeBody, rawBody } from './probes/bodies.ts'
import { discover } from './probes/discover.ts'
import { caching, crossOrigin } from './probes/headers.ts'
import { methods, otherMethods } from './probes/methods.ts'
import { reach } from './probes/reach.ts'
import { redirects } from './probes/redirects.ts'
import { signatures } from './probes/signatures.ts'
import { unsigned } from './probes/unsigned.ts'
import { steps, warnings } from './probes/workflows.ts'

/** All probes in order: those that explain other failures come first. */
export const probes: readonly Probe[] = Object.freeze([
  reach,
  redirects,
  unsigned,
  discover,
  methods,
  otherMethods,
  ...signatures,
  rawBody,
  contentType,
  brokenBody,
  largeBody,
  oversizeBody,
  actions,
  caching,
  crossOrigin,
  warnings,
  steps,
])
