import type { Command } from '../terminal/command.ts'

/** A row of the command table: the overview text, and how to load the command. */
export interface CommandRow {
  readonly name: string
  readonly summary: string
  /** Loads the command on demand. */
  load(): Promise<Command>
}

/** The commands, in the order of the overview. */
export const commandTable: readonly CommandRow[] = Object.freeze([
  {
    name: 'dev',
    summary: 'runs a local notification service and its studio next to the app',
    load: async () => (await import('./dev.ts')).dev,
  },
  {
    name: 'sync',
    summary: "syncs a bridge's workflows with a service",
    load: async () => (await import('./sync.ts')).sync,
  },
  {
    name: 'doctor',
    summary: 'finds problems of a bridge and says how to fix them',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'trigger',
    summary: 'triggers a workflow and follows its run',
    load: async () => (await import('./trigger.ts')).trigger,
  },
  {
    name: 'init',
    summary: 'adds a bridge or an inbox to an app, or creates a new app',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'types',
    summary: 'writes TypeScript types for triggering from another code base',
    load: async () => (await import('./types-command.ts')).types,
  },
  {
    name: 'diff',
    summary: "compares a bridge's workflows with its lock file or another bridge",
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'preview',
    summary: 'renders every step with its fixtures as HTML',
    load: async () => (await import('./preview.ts')).preview,
  },
  {
    name: 'replay',
    summary: 'runs past runs against changed code, and reports what differs',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'tunnel',
    summary: 'starts a tunnel program and syncs its address',
    load: async () => (await import('./tunnel.ts')).tunnel,
  },
  {
    name: 'mcp',
    summary: 'gives coding agents the tools of trestle dev over stdio',
    load: async () => (await import('./mcp.ts')).mcp,
  },
])
