import { discovered, mailControlSchema, payloadSchema } from './peer-cases.mjs'

/**
 * The workflows of the comparison; the two frameworks are near enough to each other that the code is the same.
 *
 * @param {(id: string, run: Function, options?: object) => object} workflow
 * @param {boolean} many - With those that discover tells of.
 */
export function toWorkflows(workflow, many) {
  const sendMail = ({ subject, body }) => ({ subject, body })
  const mail = async ({ step }) => {
    await step.email('raw', sendMail, { controlSchema: mailControlSchema, disableOutputSanitization: true })
  }
  const cleanMail = async ({ step }) => {
    await step.email('clean', sendMail, { controlSchema: mailControlSchema })
  }
  const steps = (id, count) => workflow(id, toRun(count), { payloadSchema })
  return [
    workflow('raw-mail', mail, { payloadSchema }),
    workflow('mail', cleanMail, { payloadSchema }),
    ...[steps('steps-1', 1), steps('steps-10', 10)],
    ...Array.from({ length: many ? discovered.workflows : 0 }, (_, index) => steps(`w${index}`, discovered.steps)),
  ]
}

function toRun(count) {
  return async ({ step, payload }) => {
    for (let index = 0; index < count - 1; index++) await step.delay(`s${index}`, () => ({ amount: 1, unit: 'hours' }))
    await step.email('last', () => ({ subject: `Order ${payload.id}`, body: '<p>On its way.</p>' }), {
      disableOutputSanitization: true,
    })
  }
}
