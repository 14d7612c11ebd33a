/**
 * Deliberate breaks: `find` occurs in the file exactly once. `packages` are rebuilt before the tests, which are those of
 * the daily run for that area.
 */
export const dailyBreaks = [
  {
    area: 'order of checks of the verifier',
    file: 'packages/core/src/call/verify.ts',
    find: '  const signature = trust.strict ? readSignature(admitted, trust) : undefined\n',
    replace:
      "  if (admitted.method === 'POST') await admitted.call.readBody(trust.bridge.settings.maxBodyBytes)\n" +
      '  const signature = trust.strict ? readSignature(admitted, trust) : undefined\n',
    packages: ['core'],
    tests: ['test/conformance/node.test.ts'],
  },
  {
    area: 'escaping in templates',
    file: 'packages/html/src/text/escape-html.ts',
    find: `text.replace(/[&<>"']/g`,
    replace: 'text.replace(/[&<>"]/g',
    tests: ['packages/html/src/text'],
  },
  {
    area: 'sanitizer',
    file: 'packages/html/src/markup/html-policy.ts',
    find: 'const running = /(?:^|:)on|',
    replace: 'const running = /(?:^|:)onclick|',
    tests: ['packages/html/src'],
  },
  {
    area: 'claim of an idempotency key',
    file: 'packages/service/src/http/idempotency.ts',
    find: `"idempotency"."expiresAt" <= `,
    replace: `"idempotency"."expiresAt" >= `,
    tests: ['packages/service/src/http/idempotency.test.ts'],
  },
  {
    area: 'handing out of jobs',
    file: 'packages/service/src/queue/queue-driver.ts',
    find: 'where "processId" is null and "priority"',
    replace: 'where "priority"',
    tests: ['packages/service/src/queue'],
  },
  {
    area: 'merging into a digest',
    file: 'packages/service/src/engine/waits/enter-digest.ts',
    find: 'mergedIntoId: digest.jobId',
    replace: 'mergedIntoId: job.id',
    tests: ['packages/service/src/engine'],
  },
  {
    area: 'address policy',
    file: 'packages/bridge-client/src/policy/policy.ts',
    find: '[plain, ...findCarriedIPv4(plain)]',
    replace: '[plain]',
    tests: ['packages/bridge-client/src/policy'],
  },
  {
    area: 'headers copied by an adapter',
    file: 'packages/lambda/src/to-node-request.ts',
    find: 'joinedHeaders[name.toLowerCase()]',
    replace: 'joinedHeaders[name]',
    packages: ['lambda'],
    tests: ['test/conformance/lambda.test.ts', 'test/examples/lambda.test.ts'],
  },
  {
    area: 'preview in the studio',
    file: 'packages/studio/src/preview/mail-frame.tsx',
    find: `sandbox=""`,
    replace: `sandbox="allow-scripts allow-same-origin"`,
    packages: ['studio'],
    tests: ['test/studio/smoke.test.ts'],
  },
  {
    area: 'imports moved by the codemod',
    file: 'packages/codemod/src/moves/imports.ts',
    find: "isHere ? '@trestle/next/pages' : next)\n",
    replace: 'next)\n',
    packages: ['codemod'],
    tests: ['test/codemod'],
  },
]
