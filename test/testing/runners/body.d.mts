/** The same tests for every runner. */
export declare function body(test: (name: string, work: () => Promise<void>) => unknown, expect?: unknown): void
