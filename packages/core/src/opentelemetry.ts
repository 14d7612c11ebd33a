export { openTelemetryHooks } from './http/open-telemetry-hooks.ts'
