import type { OptionOf } from './shape/kinds.ts'
import type { shape } from './shape/shape.ts'

/** The plans of the rate limit; `off` disables it. @source service-api.md#rate-limits */
export type Plan = OptionOf<(typeof shape)['plan']>

/** The lowest level that is logged; `silent` disables the log. */
export type LogLevel = OptionOf<(typeof shape)['logLevel']>
