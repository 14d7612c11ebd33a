export type { LogLevel, Plan, ServiceOptions } from './config/options.ts'
export { SettingsError } from './config/settings.ts'
export type { FreshKey } from './operations/environments/prepare-environments.ts'
export { type Service, startService } from './start/start-service.ts'
