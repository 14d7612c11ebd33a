export { type MovedFile, type MoveOptions, moveProject } from './project/move-project.ts'
export { type MovedSource, moveSource } from './project/move-source.ts'
export type { Remark } from './syntax/source.ts'
