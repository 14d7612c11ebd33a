import { expect, test } from 'vitest'
import { isOfClass, isStepType, messageTypes, type StepType, stepTypes, toStepName } from './step-kinds.ts'

test('names steps as workflow functions start them', () => {
  expect(stepTypes.map(toStepName)).toEqual([
    ...['email', 'sms', 'push', 'chat', 'inApp', 'tool'],
    ...['digest', 'delay', 'waitForEvent', 'throttle', 'trigger', 'custom', 'httpRequest'],
  ])
})

test('lists exactly the kinds of class message as channels', () => {
  expect(messageTypes).toEqual(['email', 'sms', 'push', 'chat', 'in_app', 'tool'])
})

test.each(['constructor', 'webhook', '', 1, null])('assigns no class to the unknown type %j', (value) => {
  expect(isStepType(value)).toBe(false)
  expect(isOfClass(value as StepType, 'message', 'wait', 'throttle', 'trigger', 'data')).toBe(false)
})
